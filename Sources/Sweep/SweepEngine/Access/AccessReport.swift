package import Basics
package import CloudModel
package import Evidence

/// How a change of access ended, container by container.
package struct AccessReport: Sendable {
    /// What became of one container.
    package struct Row: Sendable, Hashable {
        package let container: Container.ID
        /// nil: it is done; else why not.
        package let refusal: CloudError?
    }

    package let change: AccessFacts.Change
    /// In the order of the list; empty when nothing was sent.
    package internal(set) var rows: [Row] = []
    /// The addendum that says so; nil: there was no run to add it to.
    package internal(set) var addendum: String?
    /// The status to exit with.
    package internal(set) var status: ExitStatus
    /// One sentence for people.
    package internal(set) var explanation: String

    package init(_ change: AccessFacts.Change, _ status: ExitStatus, _ explanation: String) {
        self.change = change
        self.status = status
        self.explanation = explanation
    }

    /// The report of rows that were all tried.
    init(_ change: AccessFacts.Change, rows: [Row]) {
        let failed = rows.count { $0.refusal != nil }
        let containers = "\(rows.count) \(rows.count == 1 ? "container" : "containers")"
        let word = change == .restrict ? "restricted" : "restored"
        self.init(
            change, failed == 0 ? .done : .partlyFailed,
            failed == 0
                ? "access is \(word) in \(containers)"
                : "access is not \(word) in \(failed) of \(containers)")
        self.rows = rows
    }

    /// Says that the evidence lacks what was done: the containers' rows stay as they are.
    mutating func miss(_ why: String) {
        if status == .done { status = .followUpFailed }
        explanation += "; \(why)"
    }
}
