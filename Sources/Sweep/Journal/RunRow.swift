package import Basics
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
    /// The address of the server that was asked; empty for a run of version 1 of the journal.
    package let server: String
    /// Whether the server was another one than Apple's.
    package let isRehearsal: Bool
    /// The fingerprint of the server's key; nil until the server was asked.
    package var serverKey: String?
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
    /// Whether names and texts were taken out.
    package let isForgotten: Bool

    /// Whether the run was cut off or stopped with work left over.
    package var canResume: Bool {
        stage == .deleting || stage == .verifying
    }
}
