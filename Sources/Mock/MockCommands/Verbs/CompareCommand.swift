import CommandLine
import Configuration
import HTTPClient
import MockRecording
import MockServer

/// Asks a mock server what a recording has, and shows where it answers otherwise.
struct CompareCommand: Command {
    private static let most = Option(
        "most", value: .number(1...100_000), "maximum number of differences to show (default 100)")

    static let verb = Verb(
        "compare", "show where the mock server differs from a recording",
        discussion: [
            "Sends the recorded requests in their order to a new mock server with the given "
                + "seeds, or to the one that --server names, and compares the responses. Names may "
                + "differ if they do so consistently; tags, tokens, times and addresses are new "
                + "each time. Where possible, a difference names the related rules of "
                + "\"cloudkit-mock fidelity\".",
            "The recording's users are mapped, in order, to the users of the server. Requests "
                + "that were signed with a key, and those that \"cloudkit-mock record\" refused, are left "
                + "out. Exits 0 if all responses agree, and 6 if some do not.",
        ],
        positionals: [Positional(.file, .one, "the recording")],
        options: [most, AdminClient.server, AdminClient.authority, AdminClient.state]
            + ServeOptions.all + CommonOptions.output,
        examples: [
            .init(
                "cloudkit-mock compare writes.recording",
                "a session that started with an empty account"),
            .init(
                "cloudkit-mock compare look.recording --seed Containers/fixtures/demo.json --json",
                "a session that read a seed's data, for programs"),
        ],
        sections: [ServeOptions.switches])
    let arguments: Arguments

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        guard arguments.has(AdminClient.server) else { return }
        if let other = ServeOptions.all.first(where: { arguments.has($0) }) {
            throw UsageError("--\(other.name) and --server exclude each other")
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let file: RecordingFile
        do throws(RecordingError) {
            file = try RecordingFile(arguments.positionals[0], environment.files)
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        guard !arguments.has(AdminClient.server) else {
            let admin = try AdminClient(arguments, in: environment)
            defer { admin.close() }
            // Recorded writes are for mock servers only.
            guard try await admin.ask(.get, "health")["status"]?.string != nil else {
                throw CommandFailure(.refused, "\(admin.url) is not a mock server")
            }
            return try await compare(
                file, with: try target(admin, environment), admin.authorityFile, console)
        }
        var configuration = try ServeOptions.configuration(arguments, in: environment)
        let recorded = Set(file.entries.compactMap { RecordedRequest.container(inPath: $0.path) })
        configuration.containers = configuration.containers.map {
            $0 + recorded.subtracting($0).sorted { $0.rawValue < $1.rawValue }
        }
        let server = try RunningServer(configuration, clock: environment.wallClock)
        let result: Result<VerbResult, CommandFailure>
        do throws(CommandFailure) {
            let tokens = configuration.users.compactMap { server.ready.webTokens[$0] }
            let target = RecordingComparison.Target(
                url: server.ready.url, apiToken: server.ready.apiToken, webTokens: tokens)
            result = .success(try await compare(file, with: target, server.ready.caFile, console))
        } catch {
            result = .failure(error)
        }
        server.stop()
        try await server.wait()
        return try result.get()
    }

    /// The server that was named, with the tokens of the variables.
    private func target(
        _ admin: AdminClient, _ environment: Environment
    ) throws(CommandFailure) -> RecordingComparison.Target {
        guard let apiToken = environment.variable(ServerChoice.apiTokenVariable) else {
            throw CommandFailure(
                .usage, "\(ServerChoice.apiTokenVariable) is not set",
                remedy: "eval \"$(cloudkit-mock env)\" sets the variables of a running server")
        }
        let names = ServerVariables.names(in: environment.variables).filter {
            $0.hasPrefix(ServerChoice.webTokenVariable + "_")
        }
        return RecordingComparison.Target(
            url: admin.url, apiToken: apiToken, webTokens: names.compactMap(environment.variable))
    }

    private func compare(
        _ file: RecordingFile, with target: RecordingComparison.Target, _ authority: String?,
        _ console: Console
    ) async throws(CommandFailure) -> VerbResult {
        let client = HTTPClient(
            configuration: HTTPClientConfiguration(trust: authority.map { .file($0) } ?? .system))
        defer { client.shutdown() }
        var comparison = RecordingComparison(file, with: target, over: client)
        let most = arguments.number(Self.most) ?? 100
        var found = 0
        var rules: [FidelityRule] = []
        let summary: RecordingComparison.Summary
        do throws(RecordingError) {
            summary = try await comparison.run { finding in
                found += 1
                for rule in finding.rules where !rules.contains(where: { $0.name == rule.name }) {
                    rules.append(rule)
                }
                if found <= most { tell(finding, console) }
            }
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
        if found > most { console.result("and \(found - most) more") }
        tell(summary, rules, console)
        return summary.differing == 0 ? .done : .status(.dataLeft)
    }

    private func tell(_ finding: RecordingComparison.Finding, _ console: Console) {
        let names = finding.rules.map(\.name)
        let rules =
            names.isEmpty
            ? "" : "  [rule\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))]"
        console.result(
            "\(finding.number) \(finding.request): \(Visible.text("\(finding.difference)"))\(rules)"
        )
        console.event(
            Event(
                "difference",
                [
                    .init("exchange", finding.number), .init("request", finding.request),
                    .init("path", finding.difference.path),
                    .init("recorded", finding.difference.recorded),
                    .init("found", finding.difference.found),
                    .init("rules", .list(names.map { .text($0) })),
                ]))
    }

    private func tell(
        _ summary: RecordingComparison.Summary, _ rules: [FidelityRule], _ console: Console
    ) {
        for rule in rules {
            console.note(
                "rule \(rule.name) (\(rule.status.rawValue)): \(rule.asked): \(rule.answered)")
        }
        for (number, reason) in summary.skipped {
            console.note("exchange \(number) is left out: \(reason)")
        }
        console.result(
            summary.differing == 0
                ? "\(summary.compared) responses agree"
                : "\(summary.differing) of \(summary.compared) responses differ")
        console.event(
            Event(
                "compared",
                [
                    .init("compared", summary.compared), .init("differing", summary.differing),
                    .init("skipped", summary.skipped.count),
                ]))
    }
}
