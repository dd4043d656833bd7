import Basics
import CommandLine
import DonationStore
import Donations

/// Shows what would be suggested.
struct DonationsSuggestionsCommand: Command {
    private static let moment = Option(
        "at", value: .text("DATE"), "moment to suggest for (default: now)")
    private static let view = Option(
        "view", value: .choice(SuggestionView.allCases.map { $0.rawValue }),
        "surface to suggest for (default: search)")
    private static let limit = Option(
        "limit", short: "n", value: .number(1...64), "at most N (default 10)")

    static let verb = Verb(
        "donations suggestions", "list what would be suggested, best first",
        discussion: [
            "Ranked by how often the same action was done at this time of day and on this "
                + "weekday, and how long ago: the same donations always give the same result. A "
                + "more specific shortcut replaces a more general one if it has most of its score."
        ],
        options: [moment, view, limit] + DonationOptions.common,
        examples: [
            .init(
                "cksweep donations suggestions --app com.example.soup --at 2026-01-15T12:00:00Z",
                "at lunch"),
            .init(
                "cksweep donations suggestions --app com.example.soup --view lockScreen",
                "only what is certain enough for the Lock Screen"),
        ])
    private let arguments: Arguments
    private let moment: Timestamp?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        moment = try DonationOptions.date(arguments.text(Self.moment), Self.moment)
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let view = arguments.text(Self.view).flatMap { SuggestionView(rawValue: $0) } ?? .search
        let request = SuggestionRequest(
            now: moment ?? environment.wallClock.now,
            view: view, limit: arguments.number(Self.limit) ?? 10)
        let found = try await donations.use { store throws(DonationError) in
            try await store.suggestions(request)
        }
        var table = TextTable()
        for (index, suggestion) in found.enumerated() {
            let row = suggestion.donation
            table.add([
                .number(index + 1), .init(row.title ?? row.type), .init(row.kind.rawValue),
                .init(row.type), .init("\(suggestion.sameTime)x at this time", .faint),
                .init("last \(row.begin.iso8601)", .faint),
            ])
            console.event(
                Event(
                    "suggestion",
                    [
                        .init("rank", index + 1), .init("kind", row.kind.rawValue),
                        .init("type", row.type), .init("title", row.title),
                        .init("phrase", row.suggestedInvocationPhrase),
                        .init("identifier", row.identifier.orNil),
                        .init("persistentIdentifier", row.persistentIdentifier),
                        .init("score", suggestion.score),
                        .init("sameTime", suggestion.sameTime),
                        .init("sameTimeAndDay", suggestion.sameTimeAndDay),
                        .init("last", row.begin.iso8601),
                    ]))
        }
        guard !found.isEmpty else {
            console.note("Nothing to suggest.")
            return .done
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        return .done
    }
}
