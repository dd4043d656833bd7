import Foundation
import MockAdmin
import MockHost
import MockRules
import MockStore
import RepositoryRoot
import Testing

/// The rules that the mock server follows, compared with the tests that they name and with their article.
///
/// Tests of CloudKit's behaviours carry their number in their name, as `C-51` where all depths are
/// tested by one suite and `A-51` elsewhere.
struct RuleBookTests {
    private static let file = "Sources/Mock/MockRules/rules.txt"
    private static let label = #"\b[AC]-([0-9]{1,3})\b"#

    /// The names of all test functions.
    private func functions() throws -> Set<String> {
        var names: Set<String> = []
        for file in try Repository.swiftFiles(below: "Tests") {
            for line in file.lines {
                guard let start = line.firstRange(of: "func `")?.upperBound,
                    let end = line[start...].firstIndex(of: "`")
                else { continue }
                names.insert(String(line[start..<end]))
            }
        }
        return names
    }

    /// The numbers that stand in names of test functions, as `C-51`.
    private func labels(_ functions: Set<String>) throws -> Set<String> {
        let pattern = try Regex(Self.label)
        return Set(functions.flatMap { $0.matches(of: pattern).map { String($0.0) } })
    }

    @Test func `the rules can be read`() {
        #expect(RuleBook.own.problems == [])
    }

    @Test func `each behavior is there once, and no two choices have one name`() throws {
        let rules = RuleBook.own.rules
        #expect(
            rules.compactMap(\.number).sorted() == Array(1...118),
            "give each behavior one rule with its number")
        #expect(Set(rules.map(\.name)).count == rules.count, "rename one of two equal rules")
        let form = try Regex("[a-z]+(-[a-z]+)*")
        #expect(
            rules.map(\.area)
                == BehaviorRule.Area.allCases.flatMap { area in
                    rules.map(\.area).filter { $0 == area }
                }, "sort the rules by area, in the order of BehaviorRule.Area")
        for area in BehaviorRule.Area.allCases {
            let members = RuleBook.own.rules(area: area)
            let numbers = members.compactMap(\.number)
            #expect(!members.isEmpty, "\(area) has no rule: remove the area")
            #expect(numbers == numbers.sorted(), "\(area): sort its rules by number")
            #expect(
                members.prefix(numbers.count).allSatisfy { $0.number != nil },
                "\(area): move rules without a number behind those with one")
            for choice in members where choice.number == nil {
                #expect(
                    choice.name.wholeMatch(of: form) != nil,
                    "\(choice.name): use lower-case words with hyphens")
            }
        }
    }

    @Test func `each rule says how it is known, and since when`() throws {
        let form = try Regex("20[0-9]{2}(-[01][0-9](-[0-3][0-9])?)?")
        for rule in RuleBook.own.rules {
            #expect(
                rule.date.wholeMatch(of: form) != nil,
                "\(rule.name): write the date as 2026, 2026-11 or 2026-11-26, not \(rule.date)")
            #expect(
                rule.status == .ours || !rule.citations.isEmpty,
                "\(rule.name): add its source, or set its status to ours")
            for text in [rule.request, rule.response, rule.untested ?? "-"] {
                #expect(
                    !text.isEmpty && text.last != ".",
                    "\(rule.name): write a text without a full stop")
            }
        }
        let cited = Set(RuleBook.own.rules.flatMap { $0.citations.map(\.source) })
        #expect(
            RuleBook.own.sources.filter { !cited.contains($0) } == [],
            "remove the sources that no rule cites")
    }

    @Test func `each rule has a test that is there, or a reason`() throws {
        let functions = try functions()
        let labels = try labels(functions)
        for rule in RuleBook.own.rules {
            for test in rule.tests {
                #expect(
                    functions.contains(test) || labels.contains(test),
                    "\(rule.name): no test is called \(test); correct the rule")
            }
        }
    }

    @Test func `each test of a behaviour is named by its rule`() throws {
        for label in try labels(try functions()).sorted() {
            let number = Int(label.dropFirst(2))
            let rule = RuleBook.own.rules.first { $0.number != nil && $0.number == number }
            #expect(
                rule?.tests.contains(label) == true,
                "\(label): add this test to its rule in \(Self.file), or rename the test")
        }
    }

    @Test func `each rule that an error names is there`() throws {
        let names = Set(RuleBook.own.rules.map(\.name))
        var count = 0
        for file in try ["Mock", "Cloud/CloudWire"]
            .flatMap({
                try Repository.swiftFiles(below: "Sources/" + $0)
            })
        {
            for line in file.lines where !line.contains("rule: RuleName") {
                let pattern = #/(?:\brule: |\bunder: |\.under\()(?:([0-9]+)|"([a-z-]+)")/#
                for match in line.matches(of: pattern) {
                    let name = String(match.1 ?? match.2 ?? "")
                    #expect(
                        names.contains(name),
                        "\(file.path): no rule is called \(name); correct it or add the rule")
                    count += 1
                }
            }
        }
        #expect(count > 60)
    }

    @Test func `each switch that a rule names is there`() throws {
        let help = try Repository.text("Tests/Mock/MockCommandsTests/Snapshots/help-serve.txt")
        for rule in RuleBook.own.rules {
            guard let setting = rule.setting, setting.hasPrefix("--") else { continue }
            let words = setting.split(separator: " ")
            if words.count == 2, words[0] == "--option" {
                #expect(
                    ServerOption.table.contains { $0.name == words[1] },
                    "\(rule.name): no option is called \(words[1])")
            } else {
                #expect(
                    help.contains(" \(setting) "), "\(rule.name): no flag is called \(setting)")
            }
        }
    }

    /// With CKSWEEP_RECORD_SNAPSHOTS=1 its tables are written anew.
    @Test func `the tables of the article are made from the rules`() throws {
        let file = Repository.url("Sources/Mock/MockHost/MockHost.docc/Rules.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let expected = Self.withTables(text)
        if ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text == expected,
                "CKSWEEP_RECORD_SNAPSHOTS=1 scripts/test --filter RuleBookTests writes the tables")
        }
        for area in BehaviorRule.Area.allCases {
            #expect(expected.contains(Self.table(of: area)), "no table of \(area)")
        }
    }

    /// An article with each table as the ledger has it; which one it is, the heading above says.
    private static func withTables(_ article: String) -> String {
        var lines: [String] = []
        var heading = ""
        var isInTable = false
        for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") { heading = line.dropFirst(3).lowercased() }
            let wasInTable = isInTable
            isInTable = line.hasPrefix("|")
            guard isInTable, let table = table(heading) else {
                lines.append(String(line))
                continue
            }
            if !wasInTable { lines.append(String(table.dropLast())) }
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ heading: String) -> String? {
        switch heading {
        case "overview": totals
        case "sources": sources
        default: BehaviorRule.Area(rawValue: heading).map { table(of: $0) }
        }
    }

    private static func table(of area: BehaviorRule.Area) -> String {
        """
        | Rule | Request | Response | Status | Setting | Source | Tests |
        |---|---|---|---|---|---|---|

        """
            + RuleBook.own.rules(area: area).map { rule in
                row([
                    rule.name, rule.request, rule.response, rule.status.rawValue,
                    rule.setting.map { $0.hasPrefix("--") ? "`\($0)`" : $0 } ?? "–",
                    [rule.sources, rule.date].filter { !$0.isEmpty }.joined(separator: ", "),
                    rule.untested ?? rule.tests.joined(separator: "; "),
                ])
            }.joined()
    }

    private static var sources: String {
        "| Source | Where | Date |\n|---|---|---|\n"
            + RuleBook.own.sources.map { row([$0.name, $0.place, $0.date]) }.joined()
    }

    private static var totals: String {
        "| Status | Behaviors | Choices |\n|---|---|---|\n"
            + BehaviorRule.Status.allCases.map { status in
                let rules = RuleBook.own.rules(status: status)
                let numbered = rules.count { $0.number != nil }
                return row([status.rawValue, "\(numbered)", "\(rules.count - numbered)"])
            }.joined()
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}
