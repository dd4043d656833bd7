import Donations
import SQLite

extension StoreCore {
    /// The numbers that the audit judges by; reads every interaction and activity event.
    func auditFacts() throws(DonationError) -> AuditFacts {
        var facts = AuditFacts()
        for kind in [DonationKind.interaction, .activity, .searchableItem] {
            facts.subjects += try subjects(kind)
        }
        try addTotals(to: &facts)
        facts.parked = try parkedCount()
        return facts
    }

    /// How many rows wait for the item that they belong to.
    func parkedCount() throws(DonationError) -> Int {
        var count = 0
        for kind in [DonationKind.activity, .savedActivity] {
            // The index of these rows has the terms of this condition.
            count += try number(kind, Clause("parked = 1 AND related IS NOT NULL"))
        }
        return count
    }

    private func subjects(_ kind: DonationKind) throws(DonationError) -> [AuditSubject] {
        var subjects: [String: AuditSubject] = [:]
        func each(
            _ sql: String, _ set: (inout AuditSubject, Int) -> Void
        ) throws(DonationError) {
            for (type, count) in try read(sql, row: { ($0.text(at: 0), $0.int(at: 1)) }) {
                set(&subjects[type, default: AuditSubject(kind: kind, type: type)], count)
            }
        }
        let table = kind.table
        try each("SELECT type, count(*) FROM \(table) GROUP BY type") { $0.rows = $1 }
        try each(
            "SELECT type, count(*) FROM \(table) WHERE \(Self.withoutKey(kind)) GROUP BY type"
        ) { $0.withoutKey = $1 }
        try each(
            "SELECT type, count(*) FROM \(table) WHERE action IS NOT NULL GROUP BY type"
        ) { $0.withAction = $1 }
        try each(
            "SELECT type, count(*) FROM (SELECT type FROM \(table) WHERE action IS NOT NULL"
                + " GROUP BY type, action HAVING count(*) > 1) GROUP BY type"
        ) { $0.repeatedActions = $1 }
        if kind != .searchableItem {
            try each(
                "SELECT type, count(*) FROM (SELECT type, donated - lag(donated, 4) OVER"
                    + " (PARTITION BY type, prediction ORDER BY donated) AS span FROM \(table))"
                    + " WHERE span < 1000 GROUP BY type"
            ) { $0.inLoops = $1 }
        }
        return subjects.values.sorted { $0.type < $1.type }
    }

    /// The condition of rows that only their own made-up name can reach.
    private static func withoutKey(_ kind: DonationKind) -> String {
        let hex = String(repeating: "[0-9A-F]", count: 4)
        let uuid = "\(hex)\(hex)-\(hex)-\(hex)-\(hex)-\(hex)\(hex)\(hex)"
        return switch kind {
        case .interaction:
            "grp IS NULL AND container IS NULL AND identifier GLOB '\(uuid)'"
        case .activity:
            "pid IS NULL AND related IS NULL AND domain IS NULL AND container IS NULL"
        default: "0"
        }
    }
}
