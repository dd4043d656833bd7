import CommandLine
import Configuration

/// Shows what a running mock server is and has.
struct StatusCommand: Command {
    private static let health = Option(
        "health", "only say whether it accepts requests: exit 0 if it does, and 1 if not")

    static let verb = Verb(
        "status", "show where a mock server runs, and what it stores",
        discussion: [
            "If no server replies, says so and exits 2.",
            "--health sends one request over TLS with the certificate checked, as a client would, "
                + "and needs no token: for the health check of a container, or to wait for a server.",
        ],
        options: [health] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock status", "the server started last"),
            .init("cloudkit-mock status --json", "for programs"),
            .init("cloudkit-mock status --health", "HEALTHCHECK of an image"),
        ])
    private let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        if let problem = arguments.text(AdminClient.server).flatMap({
            ServerAddress.problem(in: $0)
        }) {
            throw UsageError("--server \(problem)")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        guard !arguments.has(Self.health) else { return await showHealth(console) }
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let health = try await admin.health()
        guard let details = health.details else { throw admin.refusedToken }
        let clock = try await admin.clock()
        let lists = [
            ("users", try await admin.users()), ("containers", try await admin.containers()),
            ("faults", try await admin.faults().map(\.text)),
            ("snapshots", try await admin.snapshots()),
        ]
        var table = TextTable()
        let rows: [(String, String?)] =
            [
                ("server", "\(admin.url), process \(details.processID), \(health.status)"),
                ("problem", health.problem), ("started", details.started.iso8601),
                ("authority", admin.authorityFile), ("store", details.store),
                ("seed", details.seed), ("clock", clock.line),
                ("requests", TextTable.grouped(details.requests)),
            ] + lists.map { ($0, Self.short($1)) }
        for case (let name, let value?) in rows {
            table.add([.init(name, .faint), .init(value)])
        }
        console.result(table.lines(console.style).joined(separator: "\n"))
        console.event(
            Event(
                "status",
                [
                    .init("url", admin.url), .init("pid", details.processID),
                    .init("status", health.status), .init("authority", admin.authorityFile),
                    .init("store", details.store), .init("seed", details.seed),
                    .init("startedAt", details.started.iso8601),
                    .init(
                        "clock",
                        .object([.init("mode", clock.mode), .init("now", clock.now)])),
                    .init("requests", details.requests),
                ] + lists.map { .init($0, .list($1.map { .text($0) })) }))
        return .done
    }

    private func showHealth(_ console: Console) async -> VerbResult {
        var problem: String?
        do throws(CommandFailure) {
            let admin = try AdminClient(arguments, in: console.environment)
            defer { admin.close() }
            problem = try await admin.health().problem
        } catch {
            problem = error.message
        }
        console.event(
            Event("health", [.init("healthy", problem == nil), .init("reason", problem)]))
        console.result(problem.map { "unhealthy: \($0)" } ?? "ok")
        return problem == nil ? .done : .status(.internalError)
    }

    /// The first names of a list, and how many more there are.
    private static func short(_ names: [String]) -> String {
        let most = 8
        guard !names.isEmpty else { return "none" }
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
