import CloudCourier

extension SweepReport {
    /// The report without a name of a zone or record, and without a text that could hold one.
    func withoutNames(_ pseudonyms: Pseudonyms) -> SweepReport {
        var report = self
        report.ending = .recorded(status, "names and texts of this run were forgotten")
        report.failures = failures.map {
            Failure(
                container: $0.container, scope: $0.scope, kind: $0.kind, name: nil, code: $0.code,
                reason: "")
        }
        report.rows = rows.map { row in
            var bare = CoverageRow(
                container: row.container, scope: row.scope, kind: row.kind,
                subject: ReportDescription.subject(of: row, environment, pseudonyms),
                outcome: row.outcome, reason: row.code == nil ? row.reason : nil)
            bare.code = row.code
            bare.found = row.found
            bare.deleted = row.deleted
            bare.alreadyGone = row.alreadyGone
            bare.kept = row.kept
            bare.failed = row.failed
            bare.exported = row.exported
            bare.left = row.left
            return bare
        }
        report.unmatchedRules = []
        return report
    }
}
