import CommandLine
import DeletionPlanning

extension Counts {
    /// `4 zones with 30 records, 12 other records`: a default zone is not counted, because it stays when its
    /// records are deleted.
    ///
    /// - Parameter recordsInZones: nil: they were not counted.
    static func text(_ totals: PlanTotals, recordsInZones: Int?) -> String {
        let inZones = totals.inZones(recordsInZones, TextTable.grouped)
        let parts = [
            of(totals.zones, "zone").map { "\($0) \(inZones ?? "")" },
            of(totals.records, inZones == nil ? "record" : "other record"),
            of(totals.subscriptions, "subscription"),
            of(totals.userRecords, "user record"),
            of(totals.sharedZones, "shared zone").map { "\($0) to leave" },
        ].compactMap { $0 }
        let kept = totals.kept > 0 ? "; \(TextTable.grouped(totals.kept)) kept" : ""
        return (parts.isEmpty ? "nothing" : parts.joined(separator: ", ")) + kept
    }
}
