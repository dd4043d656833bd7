import CommandLine

/// How much data a seed has added.
struct SeedCounts {
    private let added: [(name: String, count: Int)]
    private let deleted: Int

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        added = try ["zones", "records", "subscriptions", "shares"].map {
            name throws(CommandFailure) in (name, try answer.number(name))
        }
        deleted = try answer.number("deleted")
    }

    var line: String {
        let shown = added.filter { $0.name != "shares" || $0.count > 0 }
        return "added "
            + shown.map { Counts.some($0.count, String($0.name.dropLast())) }.joined(
                separator: ", ")
            + (deleted == 0 ? "" : "; deleted \(TextTable.grouped(deleted)) of them")
    }

    var event: Event {
        Event("seeded", (added + [("deleted", deleted)]).map { .init($0.name, $0.count) })
    }
}
