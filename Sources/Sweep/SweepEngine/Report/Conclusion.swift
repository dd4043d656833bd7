import CloudCourier
import CloudModel
import DataExport
import DeletionPlanning
import Journal

/// How a run ended, and the sentence that says why.
enum Conclusion {
    /// The end of a run that came to its end.
    static func of(_ run: SweepRun, failureCount: Int) -> Ending {
        if let proof = run.proof { return .proven(proof, deleted: run.verb.deletes) }
        return switch run.verb {
        case .plan: ofPlan(run)
        case .verify: ofVerification(run)
        case .export: ofExport(run)
        case .watch: ofLook(run)
        case .sweep, .apply, .resume: ofSweep(run, failureCount)
        }
    }

    private static func ofPlan(_ run: SweepRun) -> Ending {
        guard let outline = run.outline, let inventory = run.inventory else {
            return .short(.internalError, "no plan was made")
        }
        if let reason = outline.misspelledRule { return .short(.usage, reason) }
        let totals = outline.totals
        let donations = run.donations?.toDelete ?? 0
        var toDelete = ""
        if !totals.nothingToDelete {
            toDelete = inWords(totals, outline.census.recordsInZones)
        } else if donations > 0 {
            toDelete =
                "\(Counted.text(donations, "local donation")) \(are(donations)) to be deleted"
        }
        if let row = (inventory.unread + inventory.unproven).first {
            let rest = toDelete.isEmpty ? "" : "; \(toDelete), but the run cannot exit 0"
            return .short(.discoveryIncomplete, outOfReach(row) + rest)
        }
        return toDelete.isEmpty ? .nothingToDelete : .short(.somethingToDelete, toDelete)
    }

    /// `6 zones with 14 records, 8 other records and 1 subscription are to be deleted, 1 shared zone is to be left`
    private static func inWords(_ totals: PlanTotals, _ recordsInZones: Int?) -> String {
        let inZones = totals.inZones(recordsInZones)
        let counts = [
            (totals.zones, "zone"), (totals.records, inZones == nil ? "record" : "other record"),
            (totals.subscriptions, "subscription"), (totals.userRecords, "user record"),
        ].filter { $0.0 > 0 }
        let left = totals.sharedZones
        let leaving =
            left > 0 ? "\(Counted.text(left, "shared zone")) \(are(left)) to be left" : nil
        var things = counts.map { Counted.text($0.0, $0.1) }
        if let inZones { things[0] += " " + inZones }
        guard let last = things.popLast() else {
            return leaving ?? "default zones are to be deleted"
        }
        let all = things.isEmpty ? last : things.joined(separator: ", ") + " and " + last
        let verb = are(counts.reduce(0) { $0 + $1.0 })
        return ["\(all) \(verb) to be deleted", leaving].compactMap(\.self)
            .joined(separator: ", ")
    }

    private static func ofExport(_ run: SweepRun) -> Ending {
        guard let receipt = run.exported, let inventory = run.inventory else {
            return .short(.internalError, "no export was written")
        }
        if receipt.isComplete { return .exported(receipt) }
        guard let row = (inventory.unread + inventory.unproven).first else {
            return .exported(receipt)
        }
        return .short(
            run.request.allowPartial == nil ? .discoveryIncomplete : .partlyFailed,
            "what could be read was exported, but " + outOfReach(row))
    }

    private static func ofVerification(_ run: SweepRun) -> Ending {
        guard let pass = run.passes.last else {
            return .short(
                .internalError,
                "no scan took place")
        }
        if let ending = ofLast(pass) { return ending }
        if let row = (pass.inventory.unread + pass.inventory.unproven).first {
            return .short(.discoveryIncomplete, outOfReach(row))
        }
        return .short(.dataLeft, run.missing?.reason ?? "it is not verified to be empty")
    }

    /// The end of a watch's look.
    private static func ofLook(_ run: SweepRun) -> Ending {
        if let explanation = run.returned?.explanation { return .short(.dataLeft, explanation) }
        return ofVerification(run)
    }

    private static func ofSweep(_ run: SweepRun, _ failureCount: Int) -> Ending {
        if failureCount > 0 {
            return .short(
                .partlyFailed, "\(Counted.text(failureCount, "deletion")) failed after all retries")
        }
        if let pass = run.passes.last, let ending = ofLast(pass) { return ending }
        let last = run.passes.last?.inventory
        if let row = run.inventory?.unread.first ?? run.inventory?.unproven.first
            ?? last?.unproven.first
        {
            return .short(.partlyFailed, outOfReach(row))
        }
        if let row = last?.unread.first {
            return .short(
                .dataLeft,
                "deletions were accepted, but not everything could be verified: "
                    + outOfReach(row))
        }
        if run.request.allowPartial != nil {
            return .short(.partlyFailed, run.missing?.reason ?? "it was allowed to be partial")
        }
        return .short(
            .dataLeft,
            "deletions were accepted, but \(run.missing?.reason ?? "not everything could be verified")"
        )
    }

    /// What the last pass found, when that is not what was wanted.
    private static func ofLast(_ pass: Pass) -> Ending? {
        let missing = pass.keptMissing.values.reduce(0, +)
        if missing > 0 {
            return .short(
                .partlyFailed,
                "\(Counted.text(missing, "item")) that \(missing == 1 ? "is" : "are") to be kept "
                    + "\(are(missing)) missing")
        }
        let left = pass.left.values.reduce(0, +)
        guard left > 0 else { return nil }
        return .short(.dataLeft, "\(Counted.text(left, "item")) \(are(left)) still there")
    }

    private static func are(_ count: Int) -> String { count == 1 ? "is" : "are" }

    private static func outOfReach(_ row: CoverageRow) -> String {
        let subject = row.subject.map { " (\($0))" } ?? ""
        let what = row.outcome == .unproven ? "cannot be verified" : "could not be scanned"
        return "\(row.kind.rawValue)\(subject) of \(row.container) \(what): "
            + (row.reason ?? "unknown")
    }

    // MARK: Cut short

    /// The end of a run that was cut short.
    static func of(_ failure: SweepFailure, in run: SweepRun?) -> Ending {
        switch failure {
        case .journal(let error): ofJournal(error, run)
        case .refusedByGuard(let refusal):
            // Whoever reads "refused" must be able to rely on nothing having been deleted.
            .short(
                run?.hasSent == true
                    ? .partlyFailed
                    : refusal.code == .discoveryIncomplete ? .discoveryIncomplete : .refused,
                refusal.reason)
        case .donations(let error):
            .short(.internalError, "cannot use the donation store: \(error.reason)")
        case .export(let error): ofExport(error)
        case .unusable(let reason): .short(.usage, reason)
        case .refused(let error): ofRefusal(error, run)
        case .stopped: ofStop(run)
        }
    }

    private static func ofJournal(_ error: JournalError, _ run: SweepRun?) -> Ending {
        switch error.code {
        case .locked, .fenced: .short(.locked, error.reason)
        case .noSuchRun: .short(.usage, error.reason)
        case .diskFull:
            .short(
                .internalError,
                "the disk of the state folder is full, and nothing is deleted without the "
                    + "journal: \(error.reason)")
        // Before a run began, nobody was contacted.
        case .cannotOpen where run == nil, .notPrivate where run == nil:
            .short(.usage, error.reason)
        default: .short(.internalError, "cannot use the journal: \(error.reason)")
        }
    }

    private static func ofExport(_ error: ExportError) -> Ending {
        switch error.code {
        case .notAnExport, .otherExport, .notPrivate: .short(.refused, error.reason)
        case .locked: .short(.locked, error.reason)
        case .diskFull:
            .short(
                .internalError,
                "the disk is full, and the export is incomplete: free space and run the same "
                    + "command again (\(error.reason))")
        case .inputOutput, .tooLarge, .damaged, .otherAsset:
            .short(.internalError, "cannot write the export: \(error.reason)")
        }
    }

    private static func ofRefusal(_ error: CloudError, _ run: SweepRun?) -> Ending {
        // Whichever request it was that the sign-in was not good enough for.
        if ErrorPolicy.decision(for: error.code) == .signInAgain {
            return .short(.notSignedIn, error.inWords)
        }
        return .short(run?.hasBegun == true ? .partlyFailed : .discoveryIncomplete, error.inWords)
    }

    private static func ofStop(_ run: SweepRun?) -> Ending {
        guard let run else { return .short(.internalError, "stopped before the start") }
        if let error = run.courier.signInNeeded ?? run.inventory?.forbidden {
            return .short(.notSignedIn, error.inWords)
        }
        switch run.world.stop.reason {
        case .interrupt: return .short(.interrupted, "interrupted; the journal is safe")
        case .terminate: return .short(.terminated, "terminated; the journal is safe")
        case .outOfTime: return .short(.outOfTime, "the maximum duration is over")
        case .otherPerson:
            return .short(
                .refused,
                "another user has signed in than this run is about; nothing was sent for that user")
        case nil: break
        }
        if let error = run.courier.halted { return ofRefusal(error, run) }
        return .short(.internalError, "stopped for an unknown reason")
    }
}

extension SweepRun {
    /// Whether requests that delete may have been sent: in this command, or before in its run.
    var hasBegun: Bool { row.stage == .deleting || row.stage == .verifying }
}
