import Basics
import CommandLine
import Configuration
import JSON

/// Shows what a running mock server is and has.
struct StatusCommand: Command {
    static let verb = Verb(
        "status", "show where a mock server runs, and what it stores",
        discussion: ["If no server replies, says so and exits 2."],
        options: AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock status", "the server started last"),
            .init("cloudkit-mock status --json", "for programs"),
        ])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let health = try await admin.ask(.get, "health")
        let clock = try await admin.ask(.get, "clock")
        let users = Self.texts(try await admin.ask(.get, "users")["users"], "name")
        let containers = Self.texts(try await admin.ask(.get, "containers")["containers"])
        let rules = Self.texts(try await admin.ask(.get, "faults")["rules"], "text")
        let snapshots = Self.texts(try await admin.ask(.get, "snapshots")["snapshots"])
        let pid = Int(health["pid"]?.int64 ?? 0)
        let requests = Int(health["requests"]?.int64 ?? 0)
        let store = health["store"]?.string ?? ""
        let mode = clock["mode"]?.string ?? ""
        let now = clock["now"]?.string ?? ""
        let started = health["startedAt"]?.string.flatMap { Timestamp(iso8601: $0) }
        let status = health["status"]?.string ?? ""
        var rows = [
            ("server", "\(admin.url), process \(pid), \(status)"),
            ("store", store), ("seed", health["seed"]?.string ?? ""),
            ("clock", "\(mode), \(now)"), ("users", Self.list(users)),
            ("containers", Self.list(containers)), ("requests", TextTable.grouped(requests)),
            ("faults", Self.list(rules)), ("snapshots", Self.list(snapshots)),
        ]
        if let file = admin.authorityFile { rows.insert(("authority", file), at: 1) }
        if let started { rows.insert(("started", started.iso8601), at: 1) }
        var table = TextTable()
        for (name, value) in rows { table.add([.init(name, .faint), .init(value)]) }
        console.result(table.lines(console.style).joined(separator: "\n"))
        func names(_ values: [String]) -> Event.Value { .list(values.map { .text($0) }) }
        console.event(
            Event(
                "status",
                [
                    .init("url", admin.url), .init("pid", pid), .init("status", status),
                    .init("authority", admin.authorityFile), .init("store", store),
                    .init("seed", health["seed"]?.string),
                    .init("startedAt", started?.iso8601),
                    .init("clock", .object([.init("mode", mode), .init("now", now)])),
                    .init("users", names(users)), .init("containers", names(containers)),
                    .init("requests", requests), .init("faults", names(rules)),
                    .init("snapshots", names(snapshots)),
                ]))
        return .done
    }

    /// The strings of a list, or those under a key of its objects.
    private static func texts(_ list: JSONValue?, _ key: String? = nil) -> [String] {
        list?.elements.compactMap { element in
            guard let key else { return element.string }
            return element[key]?.string
        } ?? []
    }

    /// The first of them, and how many there are.
    private static func list(_ names: [String]) -> String {
        let most = 8
        guard !names.isEmpty else { return "none" }
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
