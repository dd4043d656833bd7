import CloudModel
import DeletionPlanning
import Journal

/// Which status a run ends with, and the sentence that says why.
enum Conclusion {
    /// The end of a run that came to its end.
    static func of(
        _ run: SweepRun, verb: String, failureCount: Int
    ) -> (ExitStatus, String) {
        switch verb {
        case "plan": ofPlan(run)
        case "verify": ofVerification(run)
        default: ofSweep(run, failureCount)
        }
    }

    private static func ofPlan(_ run: SweepRun) -> (ExitStatus, String) {
        if let rules = run.planned?.unmatchedRules, !rules.isEmpty {
            let match = rules.count == 1 ? "matches" : "match"
            return (.usage, "\(some(rules.count, "protect rule")) \(match) nothing that is there")
        }
        guard let totals = run.planned?.facts.totals else {
            return (.internalError, "no plan was made")
        }
        if !totals.nothingToDelete {
            return (
                .somethingToDelete,
                "\(some(totals.zones, "zone")), \(some(totals.records, "record")) and "
                    + "\(some(totals.subscriptions, "subscription")) are to be deleted"
            )
        }
        if run.donationsToDelete > 0 {
            let count = run.donationsToDelete
            return (
                .somethingToDelete,
                "\(some(count, "local donation")) \(count == 1 ? "is" : "are") to be deleted"
            )
        }
        if let row = (run.inventory.unreachable + run.inventory.unlisted).first {
            return (.discoveryIncomplete, outOfReach(row))
        }
        return (.done, "there is nothing to delete")
    }

    private static func ofVerification(_ run: SweepRun) -> (ExitStatus, String) {
        guard let look = run.look else { return (.internalError, "nobody looked") }
        let left = look.pass.left
        if left > 0 {
            return (.dataLeft, "\(some(left, "thing")) \(left == 1 ? "is" : "are") there")
        }
        if let row = (look.inventory.unlisted + look.inventory.unreachable).first {
            return (.discoveryIncomplete, outOfReach(row))
        }
        guard run.isVerifiedEmpty else { return (.dataLeft, "it is not verified to be empty") }
        return (.done, "everything in scope is empty")
    }

    private static func ofSweep(
        _ run: SweepRun, _ failureCount: Int
    ) -> (ExitStatus, String) {
        guard run.isVerifiedEmpty else {
            if failureCount > 0 {
                return (.partlyFailed, "\(some(failureCount, "deletion")) failed after all retries")
            }
            let left = run.look?.pass.left ?? 0
            if left > 0 {
                return (
                    .dataLeft,
                    "deletions were accepted, but \(some(left, "thing")) "
                        + "\(left == 1 ? "is" : "are") still there"
                )
            }
            return (.dataLeft, "deletions were accepted, but not everything could be verified")
        }
        if let row = (run.inventory.unlisted + (run.look?.inventory.unlisted ?? [])).first {
            return (.partlyFailed, outOfReach(row))
        }
        if let row = (run.inventory.unreachable + (run.look?.inventory.unreachable ?? [])).first {
            return (.partlyFailed, outOfReach(row))
        }
        if run.request.allowPartial != nil {
            return (
                .partlyFailed,
                "all that was listed is deleted and verified empty, but it was allowed to be "
                    + "partial; \"cksweep verify\" says whether anything is there"
            )
        }
        return (.done, "everything in scope is deleted and verified empty")
    }

    /// `1 zone`, `0 zones`
    private static func some(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func outOfReach(_ row: CoverageRow) -> String {
        let subject = row.subject.map { " (\($0))" } ?? ""
        return "\(row.kind.rawValue)\(subject) of \(row.container) cannot be looked at: "
            + (row.reason ?? "unknown")
    }

    /// The end of a run that was cut short.
    static func of(_ failure: SweepFailure, in run: SweepRun?) -> (ExitStatus, String) {
        switch failure {
        case .journal(let error):
            switch error.code {
            case .locked: return (.locked, error.reason)
            case .noSuchRun: return (.usage, error.reason)
            case .diskFull:
                return (
                    .internalError,
                    "no room is left on the disk of the state folder, and nothing is deleted "
                        + "without the journal: \(error.reason)"
                )
            // Before a run began, nobody was contacted.
            case .cannotOpen where run == nil: return (.usage, error.reason)
            case .cannotOpen, .corrupt, .newerVersion, .inputOutput, .busy, .broken,
                .illegalMove, .chainBroken:
                return (.internalError, "the journal cannot be used: \(error.reason)")
            }
        case .refusedByGuard(let refusal):
            let status: ExitStatus =
                refusal.code == .discoveryIncomplete ? .discoveryIncomplete : .refused
            return (status, refusal.reason)
        case .donations(let error):
            return (.internalError, "the donation store cannot be used: \(error.reason)")
        case .unusable(let reason): return (.usage, reason)
        case .refused(let error): return ofRefusal(error, run)
        case .stopped: return ofStop(run)
        }
    }

    private static func ofRefusal(_ error: CloudError, _ run: SweepRun?) -> (ExitStatus, String) {
        let hasDeleted = (run?.row.stage.rawValue ?? 0) >= RunRow.Stage.deleting.rawValue
        let text = "\(error.code.rawValue): \(error.reason)"
        return (hasDeleted ? .partlyFailed : .discoveryIncomplete, text)
    }

    private static func ofStop(_ run: SweepRun?) -> (ExitStatus, String) {
        guard let run else { return (.internalError, "stopped before it began") }
        if let error = run.courier.signInNeeded ?? run.inventory.forbidden {
            return (.notSignedIn, "\(error.code.rawValue): \(error.reason)")
        }
        switch run.world.stop.reason {
        case .interrupt: return (.interrupted, "interrupted; the journal is safe")
        case .terminate: return (.terminated, "terminated; the journal is safe")
        case .outOfTime: return (.outOfTime, "the maximum duration is over")
        case nil: break
        }
        if let error = run.courier.halted { return ofRefusal(error, run) }
        return (.internalError, "stopped for no known reason")
    }
}
