import Basics
import CloudCommandLine
import CommandLine
import JSON
import MockServer

/// Shows the requests a mock server has seen.
struct LogRequestsCommand: Command {
    private static let after = Option(
        "after", value: .number(0...1_000_000_000), "only after this request number")
    private static let filters = [
        Option("operation", value: .text("NAME"), "only this operation, such as zones/modify"),
        Option("container", value: .known("ID", .container), "only this container; * is any text"),
        Option("zone", value: .known("NAME", .zone), "only requests that name this zone"),
        Option("record-type", value: .text("NAME"), "only requests that name this record type"),
        Option("user", value: .known("NAME", .user), "only this user's"),
        Option("device", value: .text("NAME"), "only this device's"),
        Option("scope", value: .choice(["private", "shared", "public"]), "only this database"),
        Option("status", value: .text("N"), "only responses with this status, or of a class: 4xx"),
        Option("code", value: .text("CODE"), "only where the request or an item has this code"),
        Option("fault", value: .text("ID"), "only requests on which this fault fired"),
        after,
        Option(
            "limit", short: "n", value: .number(1...10_000),
            "last N at most, with --after the first N (default 1000)"),
    ]
    private static let clear = Option("clear", "discard all requests")
    private static let verify = Option(
        "verify", value: .file, "compare the requests with FILE, and exit 0, 6 or 4")

    static let verb = Verb(
        "journal", "list the requests that a mock server has received",
        discussion: [
            "--verify reads a JSON list of expectations, or an object with the list as "
                + "\"expect\", \"inOrder\" and \"after\". Each has some of \(parts), and "
                + "\"exactly\", \"atLeast\" or \"atMost\"; without these, at least one request must "
                + "match. Exit 0: all hold; 6: one fails, and the nearest requests are shown; 4: "
                + "older requests were discarded, so the result is unknown."
        ],
        options: filters + [clear, verify] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock journal --operation zones/modify -n 20", "the last deletions"),
            .init("cloudkit-mock journal --verify expected.json", "fail if they differ"),
        ])
    /// What a pattern can name.
    private static var parts: String {
        RequestPattern.Key.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.has(Self.verify) else { return }
        for option in Self.filters + [Self.clear]
        where option != Self.after && arguments.has(option) {
            throw UsageError("--verify takes its expectations from a file, not --\(option.name)")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        if arguments.has(Self.clear) {
            _ = try await admin.ask(.delete, "journal")
            console.note("The journal is empty.")
            return .done
        }
        if let file = arguments.text(Self.verify) {
            let check = try JournalCheck(
                file, after: arguments.number(Self.after), environment.files)
            return check.show(
                try await admin.ask(.post, "journal/verify", check.body), console)
        }
        let answer = try await admin.ask(.get, "journal?" + query)
        var table = TextTable()
        table.add(Self.columns.map { .init($0, .faint) })
        for entry in answer["entries"].map({ Array($0.elements) }) ?? [] {
            table.add(Self.cells(entry))
            for item in Self.failures(entry) {
                table.add(
                    Array(repeating: .init(""), count: Self.columns.count - 1) + [
                        .init(
                            "\(item["name"]?.string ?? ""): \(Self.why(item) ?? "")", .bad)
                    ])
            }
            console.event(Self.event(entry))
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        let dropped = Int(answer["dropped"]?.int64 ?? 0)
        if dropped > 0 {
            console.note(
                "\(TextTable.grouped(dropped)) older requests were discarded.")
        }
        return .done
    }

    /// The filters; without `--after` the end of the journal is meant.
    private var query: String {
        var parts: [String] = []
        for option in Self.filters where option.name != "limit" {
            if let text = arguments.text(option) {
                let key = option.name == "record-type" ? "recordType" : option.name
                parts.append("\(key)=\(AdminClient.escaped(text))")
            }
        }
        let limit = Self.filters.last.flatMap { arguments.number($0) } ?? 1000
        let isPaging = parts.contains { $0.hasPrefix("after=") }
        parts.append("\(isPaging ? "limit" : "last")=\(limit)")
        return parts.joined(separator: "&")
    }

    private static let columns = [
        "number", "time", "operation", "where", "user", "items", "status", "faults", "why",
    ]

    /// The items that failed.
    private static func failures(_ entry: JSONValue) -> [JSONValue] {
        entry["failures"].map { Array($0.elements) } ?? []
    }

    /// A code and the words beside it.
    private static func why(_ value: JSONValue) -> String? {
        value["code"]?.string.map { "\($0) \(value["reason"]?.string ?? "")" }
    }

    private static func cells(_ entry: JSONValue) -> [TextTable.Cell] {
        let status = Int(entry["status"]?.int64 ?? 0)
        let faults = entry["faults"].map { $0.elements.compactMap { $0.string } } ?? []
        let place = [entry["container"]?.string, entry["scope"]?.string].compactMap { $0 }
        let time = Timestamp(milliseconds: entry["time"]?.int64 ?? 0)
        return [
            .number(Int(entry["number"]?.int64 ?? 0)), .init(time.iso8601),
            .init(entry["operation"]?.string ?? ""), .init(place.joined(separator: "/")),
            .init(entry["user"]?.string ?? "-"), .number(Int(entry["items"]?.int64 ?? 0)),
            .init("\(status)", status < 400 ? .plain : .bad),
            .init(faults.joined(separator: ", "), .caution), .init(why(entry) ?? "", .bad),
        ]
    }

    private static func event(_ entry: JSONValue) -> Event {
        let time = Timestamp(milliseconds: entry["time"]?.int64 ?? 0)
        let faults = entry["faults"].map { $0.elements.compactMap { $0.string } } ?? []
        return Event(
            "request",
            [
                .init("number", Int(entry["number"]?.int64 ?? 0)),
                .init("at", time.iso8601),
                .init("operation", entry["operation"]?.string),
                .init("container", entry["container"]?.string),
                .init("database", entry["scope"]?.string),
                .init("user", entry["user"]?.string),
                .init("items", Int(entry["items"]?.int64 ?? 0)),
                .init("status", Int(entry["status"]?.int64 ?? 0)),
                .init("code", entry["code"]?.string),
                .init("reason", entry["reason"]?.string),
                .init(
                    "failures",
                    .list(
                        failures(entry).map { item in
                            .object(
                                ["name", "code", "reason"].map { key in
                                    .init(key, item[key]?.string)
                                })
                        })),
                .init("faults", .list(faults.map { .text($0) })),
            ])
    }
}
