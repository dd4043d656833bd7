import SweepEngine

/// What is said of things that are still there. Before a deletion they are to be deleted, also in a place that
/// cannot be proven to be empty afterwards; in an export they were exported; after a deletion they are left.
struct Remainder: Sendable {
    /// Whether the report is of a plan that nobody has begun to carry out.
    let isBeforeDeletion: Bool
    let isExport: Bool

    init(_ report: SweepReport) {
        let isPlan = report.plan != nil && !report.hasBegun && report.passes.isEmpty
        // A report on disk does not say whether it has begun, but then nothing in it is to be deleted.
        isBeforeDeletion =
            isPlan
            && (report.status == .somethingToDelete || report.status == .discoveryIncomplete
                || report.rows.contains { $0.outcome == .toDelete })
        isExport =
            report.plan == nil && report.passes.isEmpty
            && report.rows.contains { $0.outcome == .exported }
    }

    func toDelete(_ row: CoverageRow) -> Int {
        if row.outcome == .toDelete { return row.found - row.kept }
        return isBeforeDeletion ? row.left : 0
    }

    /// What was seen was exported, also where nobody can say that it is all.
    func exported(_ row: CoverageRow) -> Int {
        row.exported + (isExport && row.outcome == .unproven ? row.left : 0)
    }

    func left(_ row: CoverageRow) -> Int {
        let isOther =
            row.outcome == .toDelete || isBeforeDeletion || isExport && row.outcome == .unproven
        return isOther ? 0 : row.left
    }
}
