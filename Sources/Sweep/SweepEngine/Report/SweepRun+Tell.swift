import Journal

extension SweepRun {
    // MARK: 8 Tell

    /// Ends the run: report, evidence, and the last words in the journal.
    ///
    /// - Parameter failure: What cut it short; nil when it came to its end.
    func tell(_ failure: SweepFailure?) async -> SweepReport {
        do throws(SweepFailure) {
            let count = try await failures(limit: 1).count
            let ending =
                failure.map { Conclusion.of($0, in: self) }
                ?? Conclusion.of(self, failureCount: count)
            return try await end(try await ReportBuilder(run: self).report(ending))
        } catch {
            // Nobody is told of an outcome that is not on disk.
            var report = ReportBuilder(run: self).head(
                Conclusion.of(failure ?? error, in: self))
            report.canResume = hasBegun
            return report
        }
    }

    private func end(_ report: SweepReport) async throws(SweepFailure) -> SweepReport {
        var report = report
        for row in report.rows where row.outcome == .left { world.tell(.leftover(row)) }
        // A run that left something undone can be continued.
        report.canResume = hasBegun && proof == nil && missing != .allowedPartial
        try await noteEnd(report)
        if verb == .watch {
            report.returned = try addendum(report)
        } else if hasBegun || report.ending.isProven {
            try await writeEvidence(&report)
        }
        var changes: [JournalChange] = [
            .ended(
                world.wallClock.now, status: Int(report.status.rawValue),
                report: stage.key.authenticated(report: report.json(), of: row.id))
        ]
        if !report.canResume { changes += [.stage(.ended), .forget(.planned)] }
        // Where nothing was deleted, no verification will ask for the assets.
        if !report.canResume, !hasBegun { changes += [.forget(.assets), AssetAddresses.lost] }
        changes += [.forget(.fresh), .forget(.verification), .unlock]
        try await keep(changes)
        return report
    }

    private func noteEnd(_ report: SweepReport) async throws(SweepFailure) {
        try await keep([
            .event(
                events.event(
                    "ended",
                    [
                        ("status", .number(Int64(report.status.rawValue))),
                        ("verb", .text(verb.rawValue)),
                    ]))
        ])
    }

    /// Writes the evidence, and what it says into the report. A run whose statement would not say complete does
    /// not end with 0: then the report says why, and the statement is partial.
    private func writeEvidence(_ report: inout SweepReport) async throws(SweepFailure) {
        var outcome = try await RunEvidence(run: self, report: report).write()
        if case .contradicts(let reason) = outcome {
            report.ending = .short(
                .internalError,
                "everything was scanned again and was empty, but the evidence cannot say "
                    + "complete: \(reason). Run \"cksweep verify\" to scan again and write new "
                    + "evidence")
            try await noteEnd(report)
            outcome = try await RunEvidence(run: self, report: report).write()
        }
        guard case .written(let path, let head) = outcome else { return }
        report.evidencePath = path
        report.chainHead = head
    }
}
