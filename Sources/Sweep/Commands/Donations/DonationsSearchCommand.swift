import CommandLine
import DonationStore
import Donations

/// Searches items and activities.
struct DonationsSearchCommand: Command {
    private static let limit = Option(
        "limit", short: "n", value: .number(1...1000), "at most N (default 20)")

    static let verb = Verb(
        "donations search", "search items and activities, newest first",
        discussion: [
            "Finds items and activities that contain every WORD, at least as the start of a "
                + "word, in the title, display name, keywords or description. Expired, suspended "
                + "and non-searchable ones are not found."
        ],
        positionals: [Positional(.text("WORD"), .some, "what to look for")],
        options: [limit] + DonationOptions.common,
        examples: [
            .init("cksweep donations search tomato --app com.example.soup", "one word")
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let text = arguments.positionals.joined(separator: " ")
        let limit = arguments.number(Self.limit) ?? 20
        let rows = try await donations.use { store throws(DonationError) in
            try await store.search(words: text, limit: limit)
        }
        var table = TextTable()
        for row in rows {
            table.add([
                .init(row.kind.rawValue), .init(row.type),
                .init(row.identifier.orNil ?? row.persistentIdentifier ?? "-"),
                .init(row.title ?? row.displayName ?? "-"),
            ])
            console.event(
                Event(
                    "found",
                    [
                        .init("kind", row.kind.rawValue), .init("type", row.type),
                        .init("identifier", row.identifier.orNil),
                        .init("persistentIdentifier", row.persistentIdentifier),
                        .init("domain", row.domain), .init("index", row.indexName),
                        .init("title", row.title ?? row.displayName),
                    ]))
        }
        guard !rows.isEmpty else {
            console.note("Nothing found.")
            return .done
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        return .done
    }
}
