import CommandLine
import CommandWorld
import Foundation
import JSON
import MockCommands
import MockRules
import Testing

/// The rules as they are printed.
@Suite(.timeLimit(.minutes(30)))
struct RulesTests {
    private func run(_ words: String...) async throws -> (code: Int32, text: String, errors: String)
    {
        let world = try TestWorld()
        let code = await Dispatcher.run(["rules"] + words, in: world.environment()).code
        return (code, world.output.text, world.errors.text)
    }

    @Test
    func `all rules are printed without a server, in 80 columns, and counted in the last line`()
        async throws
    {
        let (code, text, errors) = try await run()
        #expect(code == 0 && errors.isEmpty)
        let lines = text.split(separator: "\n")
        for rule in RuleBook.own.rules {
            #expect(lines.contains { $0.hasPrefix("  \(rule.name)  \(rule.status.rawValue), ") })
        }
        let wide = lines.filter { $0.count > 80 }
        #expect(wide == [])
        let counts = RuleBook.totals(RuleBook.own.rules)
        let words = counts.map { "\($0.count) \($0.status.rawValue)" }.joined(separator: ", ")
        #expect(lines.last == "\(RuleBook.own.rules.count) rules: \(words)")
    }

    @Test func `one rule is as it was`() async throws {
        let texts = try await [run("71").text, run("atomic-failure").text, run("85").text]
        try Snapshot.check(texts.joined(separator: "\n"), "rules.txt")
    }

    @Test func `an area and a status choose rules, for programs too`() async throws {
        let (code, text, _) = try await run("feeds", "--status", "observed", "--json")
        #expect(code == 0)
        let events = try text.split(separator: "\n").map {
            try JSONDocument.parse(Array($0.utf8)).root
        }
        let rules = RuleBook.own.rules(area: .feeds, status: .observed)
        #expect(events.dropLast().map { $0["rule"]?.string } == rules.map(\.name))
        #expect(events.allSatisfy { $0["area"].map { $0.string == "feeds" } ?? true })
        #expect(events.first?["number"]?.int64 == 61)
        #expect(events.first?["tests"]?.elements.compactMap(\.string) == ["C-61"])
        #expect(events.last?["event"]?.string == "rules")
        #expect(events.last?["observed"]?.int64 == Int64(rules.count))
        #expect(events.last?["ours"]?.int64 == 0)
    }

    @Test(arguments: [
        ("zone", "did you mean \"zones\"?"), ("119", "numbers from 1 to 118"),
        ("atomic-failur", "did you mean \"atomic-failure\"?"),
    ])
    func `what is not there is refused with the nearest`(word: String, hint: String) async throws {
        let (code, text, errors) = try await run(word)
        #expect(code == 2 && text.isEmpty && errors.contains(hint), "\(errors)")
    }
}
