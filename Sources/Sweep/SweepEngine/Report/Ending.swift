package import Basics
package import DataExport

/// How a run ended. Success is no status that somebody sets: it takes a proof.
package enum Ending: Sendable, Hashable {
    /// Done, and verified empty everywhere in scope.
    case proven(ProofSummary, deleted: Bool)
    /// A plan was made, and there was nothing to delete: exit status 0 of `plan` only.
    case nothingToDelete
    /// Everything in scope is in an export.
    case exported(ExportReceipt)
    /// Anything else, and why.
    case short(Shortfall, String)
    /// As a report on disk says it; proves nothing anew.
    case recorded(ExitStatus, String)

    /// Why a run did not end with 0: every exit status but that one.
    package enum Shortfall: Int32, Sendable, CaseIterable {
        case internalError = 1
        case usage = 2
        case refused = 3
        case discoveryIncomplete = 4
        case partlyFailed = 5
        case dataLeft = 6
        case notSignedIn = 7
        case outOfTime = 8
        case locked = 9
        case somethingToDelete = 10
        case interrupted = 130
        case terminated = 143
    }

    /// The status to exit with.
    package var status: ExitStatus {
        switch self {
        case .proven, .nothingToDelete: .done
        case .exported(let receipt): receipt.isComplete ? .done : .discoveryIncomplete
        case .short(let shortfall, _): ExitStatus(rawValue: shortfall.rawValue) ?? .internalError
        case .recorded(let status, _): status
        }
    }

    /// One sentence for people.
    package var explanation: String {
        switch self {
        case .proven(_, deleted: true): "everything in scope was deleted and verified empty"
        case .proven(_, deleted: false): "everything in scope is empty"
        case .nothingToDelete: "everything in scope is empty"
        case .exported(let receipt):
            receipt.isComplete
                ? "everything in scope was exported" : "not everything in scope was exported"
        case .short(_, let text), .recorded(_, let text): text
        }
    }

    /// Whether it says that everything is gone, with the proof for it.
    var isProven: Bool { if case .proven = self { true } else { false } }
}
