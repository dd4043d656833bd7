/// What is known of how faithful the mock server is, rule by rule.
///
/// The only list of it: `GET /_mock/v1/fidelity`, `cloudkit-mock rules` and the tables of the article
/// are made from it, and a test holds its tests and its article to it. Each area has a file of its own.
package enum FidelityLedger {
    /// How many behaviours of CloudKit are numbered.
    package static let behaviours = 1...118

    /// All of them, area by area; in each the behaviours, by number, before the choices.
    package static let rules: [FidelityRule] =
        accounts + credentials + zones + records + batches + references + feeds + sharing + queries
        + subscriptions + assets + schemas + requests + errors

    /// The rules that fit; nil fits all.
    package static func rules(
        area: FidelityArea? = nil, status: FidelityRule.Status? = nil, number: Int? = nil
    ) -> [FidelityRule] {
        rules.filter { rule in
            (area ?? rule.area) == rule.area && (status ?? rule.status) == rule.status
                && (number == nil || number == rule.number)
        }
    }

    /// How many of some rules have each status.
    package static func totals(
        _ rules: [FidelityRule]
    ) -> [(status: FidelityRule.Status, count: Int)] {
        FidelityRule.Status.allCases.map { status in
            (status, rules.count { $0.status == status })
        }
    }

    // MARK: - The article

    /// The table of an area as the article has it.
    package static func article(_ area: FidelityArea) -> String {
        """
        | Rule | Request | Response | Status | Setting | Source | Tests |
        |---|---|---|---|---|---|---|

        """
            + rules(area: area).map { rule in
                let source = [rule.citation, rule.date].filter { !$0.isEmpty }
                let proof = rule.reason ?? rule.tests.joined(separator: "; ")
                return row([
                    rule.name, rule.asked, rule.answered, rule.status.rawValue,
                    rule.changedBy.map { $0.hasPrefix("--") ? "`\($0)`" : $0 } ?? "–",
                    source.joined(separator: ", "), proof,
                ])
            }.joined()
    }

    /// The table of the sources.
    package static var sourcesArticle: String {
        "| Source | Where | Date |\n|---|---|---|\n"
            + FidelitySource.allCases.map { row([$0.name, $0.place, $0.date]) }.joined()
    }

    /// The table of how many rules have each status.
    package static var totalsArticle: String {
        "| Status | Behaviours | Choices |\n|---|---|---|\n"
            + FidelityRule.Status.allCases.map { status in
                let rules = rules(status: status)
                let numbered = rules.count { $0.number != nil }
                return row([status.rawValue, "\(numbered)", "\(rules.count - numbered)"])
            }.joined()
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}
