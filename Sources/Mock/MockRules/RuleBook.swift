/// The rules that the mock server follows, and their sources: the texts `rules.txt` and `sources.txt`.
///
/// The only list of them. `GET /_mock/v1/rules`, `cloudkit-mock rules` and the tables of the article are made from it.
package struct RuleBook: Sendable {
    /// In the order of the text: area by area, in each the numbered rules before the named ones.
    package let rules: [BehaviorRule]
    package let sources: [RuleSource]
    /// What the texts have that could not be read, with file and line; the rules and sources are without it.
    package let problems: [String]

    /// The rules of this mock server.
    package static let own = RuleBook(
        rules: String(decoding: PackageResources.rules_txt, as: UTF8.self),
        sources: String(decoding: PackageResources.sources_txt, as: UTF8.self))

    /// - Parameters:
    ///   - rules: A text in the format of `rules.txt`, whose beginning describes it.
    ///   - sources: A text in the format of `sources.txt`.
    package init(rules: String, sources: String) {
        var problems: [String] = []
        var known: [RuleSource] = []
        for block in RuleBlock.blocks(of: sources, named: "sources.txt", &problems) {
            var block = block
            if let source = block.source(after: known) { known.append(source) }
            problems += block.problems
        }
        let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })
        var read: [BehaviorRule] = []
        for block in RuleBlock.blocks(of: rules, named: "rules.txt", &problems) {
            var block = block
            if let rule = block.rule(byIdentifier) { read.append(rule) }
            problems += block.problems
        }
        self.rules = read
        self.sources = known
        self.problems = problems
    }

    /// The numbers of CloudKit's behaviors.
    package var numbers: ClosedRange<Int> {
        let numbers = rules.compactMap(\.number)
        return (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    package func rule(_ name: String) -> BehaviorRule? { rules.first { $0.name == name } }

    /// The rules that match; nil matches all.
    package func rules(
        area: BehaviorRule.Area? = nil, status: BehaviorRule.Status? = nil, number: Int? = nil
    ) -> [BehaviorRule] {
        rules.filter { rule in
            (area ?? rule.area) == rule.area && (status ?? rule.status) == rule.status
                && (number == nil || number == rule.number)
        }
    }

    /// How many of some rules have each status.
    package static func totals(
        _ rules: [BehaviorRule]
    ) -> [(status: BehaviorRule.Status, count: Int)] {
        BehaviorRule.Status.allCases.map { status in
            (status, rules.count { $0.status == status })
        }
    }
}
