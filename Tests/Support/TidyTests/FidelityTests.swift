import Foundation
import MockServer
import RepositoryRoot
import Testing

/// The ledger of the mock server's fidelity, held to the tests that it names and to its article.
///
/// Tests of CloudKit's behaviours carry their number in their name, as `C-51` where all depths are
/// tested by one suite and `A-51` elsewhere.
struct FidelityTests {
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

    @Test func `each behaviour is there once, and no two choices have one name`() throws {
        let rules = FidelityLedger.rules
        #expect(
            rules.compactMap(\.number).sorted() == Array(FidelityLedger.behaviours),
            "give each behaviour one rule with its number")
        #expect(Set(rules.map(\.name)).count == rules.count, "rename one of two equal rules")
        let form = try Regex("[a-z]+(-[a-z]+)*")
        for area in FidelityArea.allCases {
            let members = FidelityLedger.rules(area: area)
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
        #expect(
            Set(rules.map(\.area.rawValue)).count == FidelityArea.allCases.count,
            "remove the areas without a rule")
    }

    @Test func `each rule says how it is known, and since when`() throws {
        let form = try Regex("20[0-9]{2}(-[01][0-9](-[0-3][0-9])?)?")
        for rule in FidelityLedger.rules {
            #expect(
                rule.date.wholeMatch(of: form) != nil,
                "\(rule.name): write the date as 2026, 2026-11 or 2026-11-26, not \(rule.date)")
            #expect(
                rule.status == .ours || !rule.evidence.isEmpty,
                "\(rule.name): add its evidence, or set its status to .ours")
            for text in [rule.asked, rule.answered, rule.reason ?? "-"] {
                #expect(
                    !text.isEmpty && text.last != "." && !text.contains("\n"),
                    "\(rule.name): write one line without a full stop")
            }
        }
        let cited = Set(FidelityLedger.rules.flatMap { $0.evidence.map(\.key) })
        #expect(
            FidelitySource.allCases.filter { !cited.contains($0) } == [],
            "remove the sources that no rule cites")
    }

    @Test func `each rule has a test that is there, or a reason`() throws {
        let functions = try functions()
        let labels = try labels(functions)
        for rule in FidelityLedger.rules {
            #expect(
                rule.tests.isEmpty == (rule.reason != nil),
                "\(rule.name): name its tests, or the reason that it has none; not both")
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
            let rule = FidelityLedger.rules.first { $0.number != nil && $0.number == number }
            #expect(
                rule?.tests.contains(label) == true,
                "\(label): add this test to its rule in FidelityLedger, or rename the test")
        }
    }

    @Test func `each rule that an error names is in the ledger`() throws {
        let names = Set(FidelityLedger.rules.map(\.name))
        var count = 0
        for file in try ["Mock/MockServer", "Cloud/CloudWire"].flatMap({
            try Repository.swiftFiles(below: "Sources/" + $0)
        }) {
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
        for rule in FidelityLedger.rules {
            switch rule.change {
            case .option(let name):
                #expect(
                    ServerOption.table.contains { $0.name == name },
                    "\(rule.name): no option is called \(name)")
            case .flag(let flag):
                #expect(help.contains(" \(flag) "), "\(rule.name): no flag is called \(flag)")
            case .words(let words): #expect(!words.isEmpty)
            case nil: break
            }
        }
    }

    /// With CKSWEEP_RECORD_SNAPSHOTS=1 its tables are written anew.
    @Test func `the tables of the article are the ledger's`() throws {
        let file = Repository.url("Sources/Mock/MockServer/MockServer.docc/Fidelity.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let expected = Self.withTables(text)
        if ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text == expected,
                "CKSWEEP_RECORD_SNAPSHOTS=1 scripts/test --filter FidelityTests writes the tables")
        }
        for area in FidelityArea.allCases {
            #expect(expected.contains(FidelityLedger.article(area)), "no table of \(area)")
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
        case "overview": FidelityLedger.totalsArticle
        case "sources": FidelityLedger.sourcesArticle
        default: FidelityArea(rawValue: heading).map { FidelityLedger.article($0) }
        }
    }
}
