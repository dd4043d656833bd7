import CommandLine
import HTTPClient
import MockRecording
import MockRules

/// Sends the requests of a recording to a mock server, and shows where its responses differ.
struct ReplayComparison {
    static let compare = Option(
        "compare", "send the recorded requests to a running mock server, and compare the responses")
    static let most = Option(
        "most", value: .number(1...100_000),
        "maximum number of differences to show (default 100; with --compare)")

    let arguments: Arguments
    let console: Console

    func run(_ file: RecordingFile) async throws(CommandFailure) -> VerbResult {
        let admin = try AdminClient(arguments, in: console.environment)
        defer { admin.close() }
        // Recorded writes are for mock servers only.
        do throws(CommandFailure) {
            _ = try await admin.health()
        } catch {
            guard error.status == .internalError else { throw error }
            throw CommandFailure(.refused, "\(admin.url) is not a mock server: \(error.message)")
        }
        var tokens: [String] = []
        for user in try await admin.users() { tokens.append(try await admin.webToken(of: user)) }
        let target = RecordingComparison.Target(
            url: admin.url, apiToken: try await admin.apiToken(), webTokens: tokens)
        return try await compare(file, with: target, admin.authorityFile)
    }

    private func compare(
        _ file: RecordingFile, with target: RecordingComparison.Target, _ authority: String?
    ) async throws(CommandFailure) -> VerbResult {
        let client = HTTPClient(
            configuration: HTTPClientConfiguration(trust: authority.map { .file($0) } ?? .system))
        defer { client.shutdown() }
        var comparison = RecordingComparison(file, with: target, over: client)
        let most = arguments.number(Self.most) ?? 100
        var found = 0
        var rules: [BehaviorRule] = []
        let summary: RecordingComparison.Summary
        do throws(RecordingError) {
            summary = try await comparison.run { finding in
                found += 1
                for rule in finding.rules where !rules.contains(where: { $0.name == rule.name }) {
                    rules.append(rule)
                }
                if found <= most { tell(finding) }
            }
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
        if found > most { console.result("and \(found - most) more") }
        tell(summary, rules)
        return summary.differing == 0 ? .done : .status(.dataLeft)
    }

    private func tell(_ finding: RecordingComparison.Finding) {
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

    private func tell(_ summary: RecordingComparison.Summary, _ rules: [BehaviorRule]) {
        for rule in rules {
            console.note(
                "rule \(rule.name) (\(rule.status.rawValue)): \(rule.request): \(rule.response)")
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
