import ClientLinter
import CommandLine

/// Shows what clients of a mock server did wrong.
struct LogFindingsCommand: AdministrationCommand {
    private static let rule = Option(
        "rule", value: Option.Value("RULE", .choice(ClientFinding.Rule.allCases.map(\.rawValue))),
        "only of this rule, such as old-token")
    private static let user = Option(
        "user", value: .known("NAME", .user), "only this user's clients")
    private static let final = Option(
        "final", "the clients have ended: also report work that they did not finish")

    static let verb = Verb(
        "log findings", "show what clients of a mock server did wrong",
        discussion: [
            "A server started with --check, or with the setting \"check\" on, checks clients "
                + "against the service's contract. Lists each violation with its rule, the requests "
                + "that prove it, and the fix; in all namespaces, or in the one of --server.",
            "Exit 0: no findings; 7: findings, as with \"cloudkit-mock exec --check\"; 4: clients are "
                + "not checked everywhere, so the result is unknown.",
        ],
        options: [rule, user, final] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock log findings --final", "fail if a client violated the contract")
        ])
    let arguments: Arguments

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let findings = try await ReportedFindings.read(at: server, query)
        if !findings.isEmpty { console.result(findings.lines.joined(separator: "\n")) }
        for finding in findings.all { console.event(finding.event) }
        console.event(
            Event(
                "findings",
                [
                    .init("count", findings.count), .init("dropped", findings.dropped),
                    .init("unwatched", .list(findings.unwatched.map { .text($0) })),
                ]))
        if !findings.unwatched.isEmpty {
            let places = findings.unwatched.map { $0.isEmpty ? "the default namespace" : $0 }
            console.note(
                "Clients are not checked in \(places.joined(separator: ", ")): start the server "
                    + "with --check, or turn on its setting \"check\".")
        }
        guard findings.isEmpty else { return .child(ReportedFindings.foundCode) }
        guard findings.unwatched.isEmpty else { return .status(.discoveryIncomplete) }
        console.note("No findings.")
        return .done
    }

    private var query: String {
        var parts = [Self.rule, Self.user].compactMap { option in
            arguments.text(option).map { "\(option.name)=\(AdminClient.escaped($0))" }
        }
        if arguments.has(Self.final) { parts.append("final=true") }
        return parts.joined(separator: "&")
    }
}
