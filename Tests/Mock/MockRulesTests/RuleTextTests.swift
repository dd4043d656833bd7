import MockRules
import Testing

/// The texts of rules and sources, and what is wrong with one.
struct RuleTextTests {
    private static let sources = """
        # A comment.
        Source: headers
        Name: Apple's headers
        Where: CloudKit.framework
        Date: 2026-08-07

        Source: site
        Name: a site
        Where: by name
        Date: 2018
        """
    private static let rule = """
        Rule: 12
        Area: zones
        Status: observed
        Request: a zone that
          is deleted
        Response: `ZONE_NOT_FOUND`
        Source: site
        Source: headers (CKError 26, in (parentheses))
        Test: C-12
        """

    @Test func `a rule is read with its sources, and has the newest date of them`() throws {
        let book = RuleBook(rules: "# A comment.\n\n" + Self.rule + "\n", sources: Self.sources)
        #expect(book.problems == [])
        #expect(book.sources.map(\.name) == ["Apple's headers", "a site"])
        let rule = try #require(book.rules.first)
        #expect(book.rules.count == 1 && rule.number == 12 && rule.area == .zones)
        #expect(rule.status == .observed && rule.request == "a zone that is deleted")
        #expect(rule.response == "`ZONE_NOT_FOUND`" && rule.response.withoutBackticks.count == 14)
        #expect(rule.sources == "a site; Apple's headers (CKError 26, in (parentheses))")
        #expect(rule.date == "2026-08-07" && rule.setting == nil)
        #expect(rule.tests == ["C-12"] && rule.untested == nil)
        #expect(book.numbers == 12...12 && book.rule("12") == rule && book.rule("1") == nil)
    }

    @Test func `a choice has a name, a day and a setting`() throws {
        let text = """
            Rule: long-request
            Area: requests
            Status: ours
            Request: more than 2 MB
            Response: 400
            Chosen: 2026-11-23
            Setting: --option bodyBytesMax
            Test: one
            Test: another
            """
        let book = RuleBook(rules: Self.rule + "\n\n\n" + text, sources: Self.sources)
        #expect(book.problems == [])
        let rule = try #require(book.rule("long-request"))
        #expect(rule.number == nil && rule.date == "2026-11-23" && rule.citations.isEmpty)
        #expect(rule.setting == "--option bodyBytesMax" && rule.tests == ["one", "another"])
        #expect(book.rules(area: .zones).map(\.name) == ["12"])
        #expect(book.rules(status: .ours).map(\.name) == ["long-request"])
        #expect(book.rules(number: 12).map(\.name) == ["12"])
        #expect(RuleBook.totals(book.rules).map(\.count) == [0, 1, 0, 1])
    }

    @Test(arguments: [
        ("Area: zones", "Area: zone", "rules.txt:2: Area must be one of accounts, credentials"),
        ("Status: observed", "Status:observed", "rules.txt:3: not \"Field: value\""),
        ("Status: observed", "", "rules.txt:1: has no Status"),
        ("Request: a zone that", "Answer: a zone that", "rules.txt:4: unknown field Answer"),
        ("Response: ", "Request: b\nResponse: ", "rules.txt:6: Request is there twice"),
        ("Source: site", "Source: sight", "rules.txt:7: there is no source sight"),
        ("Source: site", "Source: site 12", "rules.txt:7: put the part of a source in parentheses"),
        ("Test: C-12", "Setting: none", "rules.txt:1: needs Test or Untested, and not both"),
        ("Test: C-12", "Test: C-12\nUntested: so", "rules.txt:1: needs Test or Untested"),
        ("Rule: 12", "  more\nRule: 12", "rules.txt:1: a continuation of no field"),
    ])
    func `what cannot be read is a problem with its line, and the rule is left out`(
        what: String, other: String, problem: String
    ) {
        let text = Self.rule.replacing(what, with: other)
        #expect(text != Self.rule)
        let book = RuleBook(rules: text, sources: Self.sources)
        #expect(book.problems.contains { $0.hasPrefix(problem) }, "\(book.problems)")
    }

    @Test func `a source is there once`() {
        let again = "\n\nSource: site\nName: another\nWhere: elsewhere\nDate: 2019"
        let book = RuleBook(rules: Self.rule, sources: Self.sources + again)
        #expect(book.problems == ["sources.txt:12: the source site is there twice"])
        #expect(book.sources.map(\.name) == ["Apple's headers", "a site"])
    }

    @Test func `a rule without a date, and a source without a place, are problems`() {
        let undated = Self.rule.replacing("Source: site\n", with: "")
            .replacing("Source: headers (CKError 26, in (parentheses))\n", with: "")
        let book = RuleBook(
            rules: undated, sources: Self.sources.replacing("Where: by name\n", with: ""))
        #expect(
            book.problems == [
                "sources.txt:7: has no Where", "rules.txt:1: has neither Source nor Chosen",
            ])
        #expect(book.rules.isEmpty && book.sources.map(\.identifier) == ["headers"])
    }
}
