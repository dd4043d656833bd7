import CommandLine
import DeletionPlanning

/// Numbers of things, in words.
enum Counts {
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

    /// nil for none.
    static func of(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : some(count, noun)
    }

    /// `1 zone`, `0 zones`
    static func some(_ count: Int, _ noun: String) -> String {
        "\(TextTable.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// `1 zone`, `0 zones`
    static func some(_ count: Int64, _ noun: String) -> String {
        some(Int(clamping: count), noun)
    }
}
