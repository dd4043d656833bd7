import CommandLine
import DonationStore
import Donations

/// Lists donations.
struct DonationsListCommand: Command {
    private static let kind = Option(
        "kind", value: .init("KIND", .choice(DonationKind.allCases.map { $0.rawValue })),
        "only this kind: interaction, activity, savedActivity, searchableItem, appIntent, or "
            + "one of the plain lists (see --list)")
    private static let limit = Option(
        "limit", short: "n", value: .number(1...10_000), "at most N of each kind (default 100)")

    static let verb = Verb(
        "donations list", "list donations, oldest first",
        discussion: ["Without a selector, lists all donations, or all of one kind."],
        options: [kind, limit] + DonationSelectors.options + DonationOptions.common,
        examples: [
            .init("cksweep donations list --app com.example.soup", "everything"),
            .init(
                "cksweep donations list --app com.example.soup --kind interaction -n 5",
                "the first five interactions"),
        ])
    private let arguments: Arguments
    private let selector: DonationSelector?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        selector = try DonationSelectors.read(arguments)
        if selector != nil, arguments.has(Self.kind) {
            throw UsageError("--kind does not go with a selector")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let donations = try OpenDonations(arguments, in: environment)
        let limit = arguments.number(Self.limit) ?? 100
        let kinds =
            arguments.text(Self.kind).flatMap { DonationKind(rawValue: $0) }.map { [$0] }
            ?? DonationKind.allCases
        let found = try await donations.use { store throws(DonationError) in
            try await Found(store, selector, kinds, limit)
        }
        var table = TextTable()
        if !found.isEmpty {
            let heads = ["kind", "type", "identifier", "group or domain", "when", "title"]
            table.add(heads.map { TextTable.Cell($0, .faint) })
        }
        for row in found.rows {
            table.add(Self.cells(row))
            console.event(Self.event(row))
        }
        for (kind, entry) in found.entries {
            table.add([
                .init(kind.rawValue), .init("-"), .init(entry.identifier), .init("-"), .init("-"),
                .init(entry.title ?? "-"),
            ])
            console.event(
                Event(
                    "entry",
                    [
                        .init("kind", kind.rawValue), .init("identifier", entry.identifier),
                        .init("title", entry.title),
                        .init("phrase", entry.suggestedInvocationPhrase),
                    ]))
        }
        if !found.isEmpty {
            console.result(table.lines(console.style).joined(separator: "\n"))
        }
        let shown = found.rows.count + found.entries.count
        if found.isCut { console.note("There are more; --limit shows more of each kind.") }
        console.note("\(TextTable.grouped(shown)) shown, in \(donations.folder)")
        return .done
    }

    /// What was asked for.
    private struct Found: Sendable {
        var rows: [Donation] = []
        var entries: [(kind: DonationKind, entry: ListEntry)] = []
        /// Whether there is more than is shown.
        var isCut = false
        var isEmpty: Bool { rows.isEmpty && entries.isEmpty }

        init(
            _ store: DonationStore, _ selector: DonationSelector?, _ kinds: [DonationKind],
            _ limit: Int
        ) async throws(DonationError) {
            if let selector {
                rows = try await store.list(selector, limit: limit)
                isCut = rows.count == limit
                return
            }
            for kind in kinds {
                let more: [Donation]
                if DonationKind.lists.contains(kind) {
                    let all = try await store.entries(kind)
                    entries += all.prefix(limit).map { (kind, $0) }
                    isCut = isCut || all.count > limit
                } else {
                    more = try await store.list(kind, limit: limit)
                    rows += more
                    isCut = isCut || more.count == limit
                }
            }
        }
    }

    private static func cells(_ row: Donation) -> [TextTable.Cell] {
        let name = row.identifier.orNil ?? row.persistentIdentifier ?? "-"
        return [
            .init(row.kind.rawValue), .init(row.type), .init(name),
            .init(row.group ?? row.domain ?? "-"), .init(row.begin.iso8601),
            .init(row.title ?? row.displayName ?? "-"),
        ]
    }

    private static func event(_ row: Donation) -> Event {
        Event(
            "donation",
            [
                .init("kind", row.kind.rawValue), .init("type", row.type),
                .init("identifier", row.identifier.orNil), .init("group", row.group),
                .init("persistentIdentifier", row.persistentIdentifier),
                .init("related", row.relatedIdentifier), .init("domain", row.domain),
                .init("index", row.indexName), .init("begin", row.begin.iso8601),
                .init("expires", row.expiration?.iso8601),
                .init("title", row.title ?? row.displayName), .init("action", row.actionID),
                .init("container", row.link?.container), .init("zone", row.link?.zone),
                .init("record", row.link?.record),
            ])
    }
}
