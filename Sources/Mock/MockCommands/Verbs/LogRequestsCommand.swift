import CloudCommandLine
import CommandLine
import MockService

/// Shows the requests a mock server has seen.
struct LogRequestsCommand: AdministrationCommand {
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
        "log requests", "list the requests that a mock server has received",
        discussion: [
            "--verify reads a JSON list of expectations, or an object with the list as "
                + "\"expect\", \"inOrder\" and \"after\". Each has some of \(parts), and "
                + "\"exactly\", \"atLeast\" or \"atMost\"; without these, at least one request must "
                + "match. Exit 0: all hold; 6: one fails, and the nearest requests are shown; 4: "
                + "older requests were discarded, so the result is unknown."
        ],
        options: filters + [clear, verify] + AdminClient.options + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock log requests --operation zones/modify -n 20", "the last deletions"),
            .init("cloudkit-mock log requests --verify expected.json", "fail if they differ"),
        ])
    /// What a pattern can name.
    private static var parts: String {
        RequestPattern.Key.allCases.map(\.rawValue).joined(separator: ", ")
    }

    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.has(Self.verify) else { return }
        for option in Self.filters + [Self.clear]
        where option != Self.after && arguments.has(option) {
            throw UsageError("--verify takes its expectations from a file, not --\(option.name)")
        }
    }

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        if arguments.has(Self.clear) {
            try await server.clearRequests()
            console.note("The log is empty.")
            return .done
        }
        if let file = arguments.text(Self.verify) {
            let check = try JournalCheck(
                file, after: arguments.number(Self.after), console.environment.files)
            return try await server.verify(check).show(console)
        }
        let log = try await server.requests(query)
        if log.requests.isEmpty {
            console.note("No requests.")
        } else {
            console.table(RequestLog.Request.columns, log.requests.flatMap(\.rows))
        }
        for request in log.requests { console.event(request.event) }
        if log.discarded > 0 {
            console.note("\(TextTable.grouped(log.discarded)) older requests were discarded.")
        }
        return .done
    }

    /// The filters; without `--after` the end of the log is meant.
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
}
