import CommandLine
import JSON

/// Says which rule has given a request its answer.
struct ExplainCommand: Command {
    static let verb = Verb(
        "explain", "show which rule of the mock server caused a response",
        discussion: [
            "For each refusal: its rule, the facts it was based on, and how the rule is known; "
                + "\"cloudkit-mock fidelity\" lists all rules. Also reports if no rule was recorded."
        ],
        positionals: [
            Positional(
                .text("REQUEST"), .one,
                "number of a request in the journal, or the uuid of a response")
        ],
        options: AdminClient.options + CommonOptions.output,
        examples: [.init("cloudkit-mock explain 17", "why was request 17 refused?")])
    let arguments: Arguments

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let request = arguments.positionals.first ?? ""
        let answer = try await admin.ask(.get, "explain?request=\(AdminClient.escaped(request))")
        var lines = [
            "request \(answer["request"]?.int64 ?? 0), \(answer["operation"]?.string ?? ""): "
                + "status \(answer["status"]?.int64 ?? 0)"
        ]
        let findings = answer["findings"].map { Array($0.elements) } ?? []
        let faults = answer["faults"]?.elements.compactMap(\.string) ?? []
        if !faults.isEmpty { lines.append("  faults: \(faults.joined(separator: ", "))") }
        if answer["status"]?.int64 == 0 { lines.append("  no response was sent") }
        if findings.isEmpty { lines.append("  no item was refused by a rule") }
        for finding in findings {
            let item = finding["item"]?.string.map { "\($0): " } ?? ""
            lines.append("  \(item)\(finding["words"]?.string ?? "")")
            if let asked = finding["asked"]?.string, let answered = finding["answered"]?.string {
                lines.append("    request: \(asked)")
                lines.append("    response: \(answered)")
                let evidence = finding["evidence"]?.string ?? ""
                lines.append(
                    "    \(finding["status"]?.string ?? "")"
                        + (evidence.isEmpty ? "" : ": \(evidence)"))
            }
            console.event(Self.event(finding, of: answer))
        }
        let more = Int(answer["more"]?.int64 ?? 0)
        if more > 0 { lines.append("  and \(TextTable.grouped(more)) items more") }
        console.result(lines.joined(separator: "\n"))
        return .done
    }

    private static func event(_ finding: JSONValue, of answer: JSONValue) -> Event {
        Event(
            "explanation",
            [.init("request", Int(answer["request"]?.int64 ?? 0))]
                + ["item", "code", "words", "rule", "fault", "facts", "status", "evidence"].map {
                    .init($0, finding[$0]?.string)
                })
    }
}
