import CommandLine

/// How much a server stores that was restored to a snapshot file.
struct RestoredCounts {
    private let counts: [(name: String, count: Int)]

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        counts = try ["users", "databases", "zones", "records", "assets"].map {
            name throws(CommandFailure) in (name, try answer.number(name))
        }
    }

    var line: String {
        "restored "
            + counts.map { Counts.some($0.count, String($0.name.dropLast())) }.joined(
                separator: ", ")
    }

    var event: Event { Event("restored", counts.map { .init($0.name, $0.count) }) }
}
