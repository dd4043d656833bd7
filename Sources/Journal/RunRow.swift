package import CloudModel

/// One run, as the journal keeps it.
package struct RunRow: Sendable, Hashable {
    /// How far a run has come.
    package enum Stage: Int, Sendable, CaseIterable {
        case looking = 0
        case planned = 1
        /// Approved: from here on requests may have been sent.
        case deleting = 2
        case verifying = 3
        case ended = 4
    }

    /// The run's row number: what its other rows refer to.
    package let key: Int64
    package let id: String
    package let verb: String
    package let environment: Container.Environment
    /// In the order rows refer to them.
    package let containers: [Container.ID]
    package let began: Timestamp
    package var ended: Timestamp?
    package var stage: Stage
    /// Pseudonyms of the users, container by container; empty until they are known.
    package var subjects: [String]
    package var planDigest: String?
    /// The plan's header and footer lines.
    package var planHeader: [UInt8]?
    package var planFooter: [UInt8]?
    /// Why it was allowed to be partial.
    package var allowPartial: String?
    package var status: Int?
    /// The report as it was at the end.
    package var report: [UInt8]?

    /// Whether the run was cut off or stopped with work left over.
    package var canResume: Bool {
        stage == .deleting || stage == .verifying
    }
}

/// What is known when a run begins.
package struct RunStart: Sendable {
    package let id: String
    package let verb: String
    package let environment: Container.Environment
    package let containers: [Container.ID]
    package let began: Timestamp
    package let allowPartial: String?

    package init(
        id: String, verb: String, environment: Container.Environment, containers: [Container.ID],
        began: Timestamp, allowPartial: String?
    ) {
        self.id = id
        self.verb = verb
        self.environment = environment
        self.containers = containers
        self.began = began
        self.allowPartial = allowPartial
    }
}
