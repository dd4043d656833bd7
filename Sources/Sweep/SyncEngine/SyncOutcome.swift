package import Basics
import CloudCourier
package import DonationSync

/// How a sync ended.
package struct SyncOutcome: Sendable, Hashable {
    package let status: ExitStatus
    /// Why it is not `done`, in a few words; "" when it is.
    package let explanation: String
    /// How the last round went, database by database.
    package let databases: [SyncedDatabase]
    /// What was done, in all rounds and databases.
    package let report: SyncReport
    package let rounds: Int

    /// The status of rounds that were carried out.
    ///
    /// First what stopped it, then what keeps it from being right, then what was refused.
    static func status(
        _ databases: [SyncedDatabase], _ report: SyncReport, stop: StopSignal.Reason?
    ) -> (ExitStatus, String) {
        switch stop {
        case .interrupt: return (.interrupted, "interrupted")
        case .terminate: return (.terminated, "terminated")
        case .outOfTime: return (.outOfTime, "the time is over")
        case .otherPerson: return (.refused, "another user has signed in")
        case nil: break
        }
        let verdicts = databases.compactMap { database in
            verdict(database.ending).map { ($0.0, "\(database.address): \($0.1)") }
        }
        let order: [ExitStatus] = [.internalError, .notSignedIn, .discoveryIncomplete]
        for status in order {
            if let verdict = verdicts.first(where: { $0.0 == status }) { return verdict }
        }
        if report.zonesUnclear > 0 {
            let isOne = report.zonesUnclear == 1
            return (
                .discoveryIncomplete,
                "\(count(report.zonesUnclear, "zone")) not found, and it is unknown whether "
                    + (isOne ? "it was deleted" : "they were deleted")
            )
        }
        if let verdict = verdicts.first { return verdict }
        if !report.resurrected.isEmpty {
            return (.partlyFailed, "records arrive in deleted zones; they are not applied")
        }
        if report.refused > 0 {
            return (.partlyFailed, "\(count(report.refused, "donation")) refused")
        }
        if report.rescued > 0 {
            return (
                .partlyFailed, "\(count(report.rescued, "change")) not sent; see \"sync status\""
            )
        }
        return (.done, "")
    }

    /// `1 zone was`, `2 zones were`
    private static func count(_ count: Int64, _ noun: String) -> String {
        count == 1 ? "1 \(noun) was" : "\(count) \(noun)s were"
    }

    private static func verdict(
        _ ending: SyncedDatabase.Ending
    ) -> (ExitStatus, String)? {
        switch ending {
        case .idle, .stopped: nil
        case .waiting(let why, let until):
            (.discoveryIncomplete, "\(words(why)); not before \(until.iso8601)")
        case .halted(let halt): verdict(halt)
        case .failed(let error): (.internalError, error.reason)
        case .withoutFences(let reason): (.internalError, "cannot read the fences: \(reason)")
        }
    }

    private static func verdict(_ halt: SyncHalt) -> (ExitStatus, String) {
        switch halt {
        case .notAuthenticated:
            (.notSignedIn, "the credentials were refused; no donation is deleted for that")
        case .restricted: (.notSignedIn, "access to the container is restricted")
        case .wrongService:
            (
                .discoveryIncomplete,
                "the response is not from the service, or its certificate is not trusted"
            )
        case .refused: (.discoveryIncomplete, "the service refused to list what changed")
        case .schemaRefused: (.partlyFailed, "the schema lacks the types of the donation zone")
        case .noFeed: (.discoveryIncomplete, "the database has no feed of changes")
        case .cancelled: (.discoveryIncomplete, "the request was cancelled")
        case .quotaExceeded: (.partlyFailed, "no space is left for the user's donations")
        }
    }

    /// Why one waits.
    package static func words(_ wait: SyncWait) -> String {
        switch wait {
        case .throttled: "the service asked to wait"
        case .unavailable: "the service is unavailable"
        case .network: "the server is unreachable"
        case .stuckFeed: "the feed of changes makes no progress"
        case .longRound: "the round is too long; the rest follows in the next one"
        }
    }
}
