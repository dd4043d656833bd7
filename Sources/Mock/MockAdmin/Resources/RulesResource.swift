import Basics
import CloudWire
import HTTPServer
import JSON
import MockRules
import MockService

/// The rules of documented behavior, and how each is known.
struct RulesResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "rules",
            query: [
                "area", Shape.Member("status", .choice(of: BehaviorRule.Status.self)),
                .count("number"),
            ], answers: [.list("rules", of: "BehaviorRule"), "sources", "totals"],
            isStored: false, "lists how each behavior is known, and the test that covers it",
            list)
    ]

    /// `?area=zones&status=ours&number=7`
    private func list() throws(MockError) -> RequestOutcome {
        var number: Int?
        let numbers = RuleBook.own.numbers
        if let text = query["number"] {
            number = Int(text)
            guard let number, numbers.contains(number) else {
                throw MockError(
                    "number must be from \(numbers.lowerBound) to \(numbers.upperBound)")
            }
        }
        return list(
            RuleBook.own.rules(
                area: try choice("area"), status: try choice("status"), number: number))
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(MockError) -> Choice? {
        guard let text = query[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue)
            throw MockError(
                "\(name) must be one of \(names.joined(separator: ", "))"
                    + NearestName.hint(for: text, among: names))
        }
        return choice
    }

    private func list(_ rules: [BehaviorRule]) -> RequestOutcome {
        .object { writer in
            writer.objects("rules", rules) { $1.writeMembers(to: &$0) }
            writer.objects("sources", RuleBook.own.sources) { writer, source in
                writer.member("name", source.name)
                writer.member("place", source.place)
                writer.member("date", source.date)
            }
            writer.key("totals")
            writer.object { writer in
                for (status, count) in RuleBook.totals(rules) {
                    writer.member(status.rawValue, count)
                }
            }
        }
    }
}

extension BehaviorRule {
    /// The members of a rule, its texts without backticks.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("rule", name)
        json.member("number", number)
        json.member("area", area.rawValue)
        json.member("status", status.rawValue)
        json.member("request", request.withoutBackticks)
        json.member("response", response.withoutBackticks)
        json.member("source", citations.isEmpty ? nil : sources)
        json.member("date", date)
        json.member("setting", setting?.withoutBackticks)
        json.member("tests", tests.isEmpty ? nil : tests)
        json.member("untested", untested)
    }
}
