import Basics
import CommandLine
import MockRules

/// Lists the rules that the mock server follows, or those behind one of its responses.
struct RulesCommand: Command {
    private static let status = Option(
        "status", value: .choice(BehaviorRule.Status.allCases.map(\.rawValue)),
        "only rules with this status")
    private static let request = Option(
        "request", value: .text("N|UUID"),
        "the rules behind a response: number of a request in the log, or the response's uuid")
    private static let areas = BehaviorRule.Area.allCases.map(\.rawValue)

    static let verb = Verb(
        "rules", "list the rules of CloudKit's behavior that the mock server follows",
        discussion: [
            "Lists each behavior of CloudKit, by number, and each choice of this project, by "
                + "name: the request and response, how and since when it is known, the setting that "
                + "changes it, and the test that covers it. documented: by Apple. observed: "
                + "recorded by someone. inferred: deduced from tests, clients and other rules. "
                + "ours: chosen, or different from CloudKit on purpose. No rule is a promise about "
                + "Apple's servers.",
            "--request asks a running server which rules caused the response to a request: for "
                + "each refusal the rule, the facts it was based on, and how the rule is known.",
            "The areas are " + areas.dropLast().joined(separator: ", ")
                + " and \(areas.last ?? "").",
        ],
        positionals: [
            Positional(
                Option.Value(
                    "AREA|NUMBER|NAME", .suggested(areas + RuleBook.own.rules.map(\.name))),
                .optional, "the rules of an area, or one rule")
        ],
        options: [status, request] + AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock rules zones", "the rules about zones"),
            .init("cloudkit-mock rules 71", "one behavior"),
            .init("cloudkit-mock rules --request 17", "why was request 17 refused?"),
            .init("cloudkit-mock rules --status ours --json", "all choices, for programs"),
        ])
    private let arguments: Arguments
    private let rules: [BehaviorRule]

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let status = arguments.text(Self.status).flatMap { BehaviorRule.Status(rawValue: $0) }
        if arguments.has(Self.request), status != nil || !arguments.positionals.isEmpty {
            throw UsageError("--request excludes --status and names of rules")
        }
        if let stray = AdminClient.options.first(where: { arguments.has($0) }),
            !arguments.has(Self.request)
        {
            throw UsageError("--\(stray.name) needs --request; no server is asked without")
        }
        guard let word = arguments.positionals.first else {
            rules = RuleBook.own.rules(status: status)
            return
        }
        if let area = BehaviorRule.Area(rawValue: word) {
            rules = RuleBook.own.rules(area: area, status: status)
            return
        }
        let named = RuleBook.own.rules(status: status).filter { $0.name == word }
        let names = RuleBook.own.rules.map(\.name)
        guard !named.isEmpty || names.contains(word) else {
            let numbers = RuleBook.own.numbers
            guard Int(word) == nil else {
                throw UsageError(
                    "there is no rule \(word); behaviors have numbers from "
                        + "\(numbers.lowerBound) to \(numbers.upperBound)")
            }
            throw UsageError(
                "there is no area or rule \"\(word)\""
                    + NearestName.hint(for: word, among: Self.areas + names))
        }
        rules = named
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        if let request = arguments.text(Self.request) {
            let admin = try AdminClient(arguments, in: environment)
            defer { admin.close() }
            let explanation = try await admin.explain(request)
            console.result(explanation.lines.joined(separator: "\n"))
            for event in explanation.events { console.event(event) }
            return .done
        }
        var lines: [String] = []
        for area in BehaviorRule.Area.allCases {
            let members = rules.filter { $0.area == area }
            guard !members.isEmpty else { continue }
            lines += [console.style.text(area.rawValue, .strong), ""]
            for rule in members {
                lines += Self.lines(rule, console.style) + [""]
                console.event(Self.event(rule))
            }
        }
        let totals = RuleBook.totals(rules)
        let counts = totals.map { "\($0.count) \($0.status.rawValue)" }
        lines.append(
            "\(rules.count) \(rules.count == 1 ? "rule" : "rules"): "
                + counts.joined(separator: ", "))
        console.result(lines.joined(separator: "\n"))
        console.event(
            Event(
                "rules",
                [.init("rules", rules.count)]
                    + totals.map { .init($0.status.rawValue, $0.count) }))
        return .done
    }

    private static func lines(_ rule: BehaviorRule, _ style: Style) -> [String] {
        let head =
            "  \(style.text(rule.name, .strong))  "
            + style.text("\(rule.status.rawValue), \(rule.date)", .faint)
        var texts = [rule.request, "-> " + rule.response]
        if !rule.citations.isEmpty { texts.append("source: " + rule.sources) }
        if let setting = rule.setting { texts.append("setting: " + setting) }
        if let reason = rule.untested {
            texts.append("no test: " + reason)
        } else {
            texts.append(
                (rule.tests.count == 1 ? "test: " : "tests: ")
                    + rule.tests.joined(separator: "; "))
        }
        return [head]
            + texts.flatMap { text in
                HelpText.wrap(text.withoutBackticks, width: 74).map { "      " + $0 }
            }
    }

    private static func event(_ rule: BehaviorRule) -> Event {
        Event(
            "rule",
            [
                .init("rule", rule.name),
                .init("number", rule.number.map { .number($0) } ?? .null),
                .init("area", rule.area.rawValue), .init("status", rule.status.rawValue),
                .init("request", rule.request.withoutBackticks),
                .init("response", rule.response.withoutBackticks),
                .init("source", rule.citations.isEmpty ? nil : rule.sources),
                .init("date", rule.date),
                .init("setting", rule.setting?.withoutBackticks),
                .init("tests", .list(rule.tests.map { .text($0) })),
                .init("untested", rule.untested),
            ])
    }
}
