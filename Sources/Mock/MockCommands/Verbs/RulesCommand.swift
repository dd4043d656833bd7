import Basics
import CommandLine
import MockServer

/// Shows what is known of the mock server's fidelity; no server need run.
struct RulesCommand: Command {
    private static let status = Option(
        "status", value: .choice(FidelityRule.Status.allCases.map(\.rawValue)),
        "only rules with this status")
    private static let areas = FidelityArea.allCases.map(\.rawValue)

    static let verb = Verb(
        "fidelity", "show how faithful the mock server is, rule by rule",
        discussion: [
            "Lists each behavior of CloudKit, by number, and each choice of this project, by "
                + "name: the request and response, how and since when it is known, the setting that "
                + "changes it, and the test that covers it. documented: by Apple. observed: "
                + "recorded by someone. inferred: deduced from tests, clients and other rules. "
                + "ours: chosen, or different from CloudKit on purpose. No rule is a promise about "
                + "Apple's servers.",
            "The areas are " + areas.dropLast().joined(separator: ", ")
                + " and \(areas.last ?? "").",
        ],
        positionals: [
            Positional(
                Option.Value(
                    "AREA|NUMBER|NAME", .suggested(areas + FidelityLedger.rules.map(\.name))),
                .optional, "the rules of an area, or one rule")
        ],
        options: [status] + CommonOptions.output,
        examples: [
            .init("cloudkit-mock fidelity zones", "the rules about zones"),
            .init("cloudkit-mock fidelity 71", "one behavior"),
            .init("cloudkit-mock fidelity --status ours --json", "all choices, for programs"),
        ])
    private let arguments: Arguments
    private let rules: [FidelityRule]

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let status = arguments.text(Self.status).flatMap { FidelityRule.Status(rawValue: $0) }
        guard let word = arguments.positionals.first else {
            rules = FidelityLedger.rules(status: status)
            return
        }
        if let area = FidelityArea(rawValue: word) {
            rules = FidelityLedger.rules(area: area, status: status)
            return
        }
        let named = FidelityLedger.rules(status: status).filter { $0.name == word }
        let names = FidelityLedger.rules.map(\.name)
        guard !named.isEmpty || names.contains(word) else {
            let numbers = FidelityLedger.behaviours
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
        var lines: [String] = []
        for area in FidelityArea.allCases {
            let members = rules.filter { $0.area == area }
            guard !members.isEmpty else { continue }
            lines += [console.style.text(area.rawValue, .strong), ""]
            for rule in members {
                lines += Self.lines(rule, console.style) + [""]
                console.event(Self.event(rule))
            }
        }
        let totals = FidelityLedger.totals(rules)
        let counts = totals.map { "\($0.count) \($0.status.rawValue)" }
        lines.append(
            "\(rules.count) \(rules.count == 1 ? "rule" : "rules"): "
                + counts.joined(separator: ", "))
        console.result(lines.joined(separator: "\n"))
        console.event(
            Event(
                "fidelity",
                [.init("rules", rules.count)]
                    + totals.map { .init($0.status.rawValue, $0.count) }))
        return .done
    }

    private static func lines(_ rule: FidelityRule, _ style: Style) -> [String] {
        let head =
            "  \(style.text(rule.name, .strong))  "
            + style.text("\(rule.status.rawValue), \(rule.date)", .faint)
        var texts = [rule.asked, "-> " + rule.answered]
        if !rule.evidence.isEmpty { texts.append("source: " + rule.citation) }
        if let words = rule.changedBy { texts.append("setting: " + words) }
        switch rule.proof {
        case .tests(let names):
            texts.append((names.count == 1 ? "test: " : "tests: ") + names.joined(separator: "; "))
        case .reason(let words): texts.append("no test: " + words)
        }
        return [head]
            + texts.flatMap { text in
                HelpText.wrap(text.withoutBackticks, width: 74).map { "      " + $0 }
            }
    }

    private static func event(_ rule: FidelityRule) -> Event {
        Event(
            "rule",
            [
                .init("rule", rule.name),
                .init("number", rule.number.map { .number($0) } ?? .null),
                .init("area", rule.area.rawValue), .init("status", rule.status.rawValue),
                .init("asked", rule.asked.withoutBackticks),
                .init("answered", rule.answered.withoutBackticks),
                .init("evidence", rule.evidence.isEmpty ? nil : rule.citation),
                .init("date", rule.date),
                .init("switch", rule.changedBy?.withoutBackticks),
                .init("tests", .list(rule.tests.map { .text($0) })),
                .init("untested", rule.reason),
            ])
    }
}
