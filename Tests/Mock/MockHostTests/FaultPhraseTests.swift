import JSON
import MockFaults
import Testing

/// Faults as they are typed and as they are printed, and scripts of them.
struct FaultPhraseTests {
    /// What is said, and the same in short.
    static let legal: [(String, String)] = [
        (
            "3rd modify in zone Notes* -> CONFLICT on 2 items",
            "3rd records/modify in zone Notes* -> CONFLICT on 2 items"
        ),
        ("10% of changes -> empty page always", "10% changes/* -> empty page"),
        ("10% changes -> empty page", "10% changes/* -> empty page"),
        (
            "next modify by device phone -> cut after commit",
            "1st records/modify by device phone -> cut after commit"
        ),
        (
            "every query -> THROTTLED retry 30s 3 times after 10s",
            "records/query 3 times after 10s -> THROTTLED retry 30s"
        ),
        ("every 2nd request -> delay 50ms..200ms", "every 2nd any -> delay 50ms..200ms"),
        ("every modify -> CONFLICT on all", "records/modify -> CONFLICT on all items"),
        (
            "every modify in private in container iCloud.* by user ann with type Note -> delay 1s",
            "records/modify in container iCloud.* in private with type Note by user ann -> delay 1000ms"
        ),
        (
            "next modify with delete with record r* -> NOT_FOUND on 1 item",
            "1st records/modify with record r* with delete -> NOT_FOUND on 1 items"
        ),
        ("2nd zone-modify -> delete zone 2 times", "2nd zones/modify 2 times -> delete zone"),
        ("2nd query -> THROTTLED always", "2nd every 1st records/query -> THROTTLED"),
        (
            "12th every 113th 0.7% of query -> THROTTLED 22 times",
            "12th every 113th 0.7% records/query 22 times -> THROTTLED"
        ),
        ("every upload -> hold g1 until reset", "assets/upload until reset -> hold g1"),
        ("every zone-list -> stale zone list once", "zones/list once -> stale zone list"),
        (
            "query with type Note -> status 502 body \"a \\\"b\\\"\"",
            "records/query with type Note -> status 502 body \"a \\\"b\\\"\""
        ),
        (
            "every modify in zone \"My Notes\" -> hold g1 at after-commit deadline 5s",
            "records/modify in zone \"My Notes\" -> hold g1 at after-commit deadline 5s"
        ),
        ("every modify -> hold \"once\" once", "records/modify once -> hold \"once\""),
        ("every download -> cut at 512 # half of it", "assets/download -> cut at 512"),
    ]

    @Test(arguments: legal)
    func `a rule is printed in one form, which is read back`(words: String, short: String) throws {
        let rule = try FaultRule(id: "a", text: words)
        #expect(rule.text == short)
        #expect(try FaultRule(id: "a", text: short) == rule)
        var writer = JSONWriter()
        rule.write(to: &writer)
        #expect(try FaultRule(json: try JSONDocument.parse(writer.bytes).root, id: "b") == rule)
    }

    @Test(
        arguments: [
            ("every qury -> THROTTLED", 7, "query"),
            ("every -> THROTTLED", 7, "zones/modify"),
            ("every query in zon Notes -> THROTTLED", 16, "in"),
            ("every query by usr ann -> THROTTLED", 16, "by user"),
            ("every query in zone -> THROTTLED", 16, "in"),
            ("every query sometimes -> THROTTLED", 13, ""),
            ("every query \"3\" times -> THROTTLED", 13, ""),
            ("every query -> THROTTLED retry soon", 32, "retry 30s"),
            ("every query -> THROTTLED after 99999999999s", 32, "after 10s"),
            ("every query -> cut after commit retry 3s", 39, "cut after commit"),
            ("every query -> THROTTLED 3 times always", 34, "always"),
            ("3rd 4th query -> THROTTLED", 5, ""),
            ("200% of changes -> empty page", 1, "10%"),
            ("every query -> hold \"a gate\"", nil, "hold g1"),
            ("every query -> hold g1 at noon", 27, "received"),
            ("every download -> hold g1", nil, "zones/list"),
            ("query \"in zone -> THROTTLED", 7, ""),
            (": query -> THROTTLED", 1, "any"),
            ("1st modify -> CONFLICT on 1 record", nil, "CONFLICT on 1 items"),
        ] as [(String, Int?, String)])
    func `what is not understood is refused with its place and the nearest`(
        text: String, column: Int?, suggestion: String
    ) throws {
        let error = try #require(throws: FaultError.self) {
            _ = try FaultRule(id: "a", text: text)
        }
        #expect(error.column == column, "\(error)")
        #expect(
            suggestion.isEmpty || (error.suggestion ?? "").contains(suggestion), "\(error)")
    }

    @Test func `a rule has the name that it is given, by text too`() throws {
        let bench = try Bench()
        let answer = try bench.admin(
            "PUT", "faults", #"["busy: every query -> THROTTLED","zones/list -> delay 1ms"]"#)
        let ids = answer.json?["rules"]?.elements.map { $0["id"]?.string }
        #expect(ids == ["busy", "fault-2"], "\(answer.text)")
    }

    @Test func `any value is read back as it was written`() throws {
        for value in [
            "once", "retry", "in", "a b", "a\"b", "a\\b", "a\\\"", "->", "#a", "a:", "a\nb", "a=b",
            "é 😀", "\t",
        ] {
            let rule = try FaultRule(id: "a", text: "records/modify by user x -> delay 1ms")
            var writer = JSONWriter()
            writer.object { writer in
                writer.object("when") { writer in
                    writer.member("zone", value)
                    writer.member("user", value)
                }
                writer.object("do") { writer in
                    writer.member("kind", "status")
                    writer.member("status", 500)
                    writer.member("body", value)
                }
            }
            let made = try FaultRule(json: try JSONDocument.parse(writer.bytes).root, id: rule.id)
            #expect(try FaultRule(id: rule.id, text: made.text) == made, "\(made.text)")
        }
    }

    @Test func `a script is rules and comments, each rule called after its line`() throws {
        let script = try FaultScript(
            """
            # Everything that happens on a train.

            busy: every query -> THROTTLED retry 30s 3 times   # then it is well again
            \tnext modify -> cut after commit\r
            """)
        #expect(script.rules.map(\.id) == ["busy", "line-4"])
        #expect(script.rules.map(\.action) == [.error, .cutAfterCommit])
        #expect(try FaultScript("").rules.isEmpty)
    }

    @Test func `a script has so many rules and bytes, and names have so many characters`() throws {
        let line = "any -> delay 1ms\n"
        let long = String(repeating: "n", count: 30)
        let most = try FaultScript(String(repeating: line, count: FaultPlan.rulesMax), called: long)
        #expect(most.rules.count == FaultPlan.rulesMax)
        #expect(most.rules[9].id == String(long.prefix(20)) + "-10")
        let rules = try #require(throws: FaultError.self) {
            _ = try FaultScript(String(repeating: line, count: FaultPlan.rulesMax + 1))
        }
        #expect(rules.line == FaultPlan.rulesMax + 1 && rules.reason.contains("at most"))
        let comment = "#" + String(repeating: "x", count: FaultScript.bytesMax - 1)
        #expect(try FaultScript(comment).rules.isEmpty)
        let bytes = try #require(throws: FaultError.self) { _ = try FaultScript(comment + "x") }
        #expect(bytes.reason.contains("bytes"))
    }

    @Test func `a script that is not UTF-8 is refused with the line`() throws {
        let bytes = Array("any -> delay 1ms\nquery in zone Caf".utf8) + [0xE9, 0x0A]
        let error = try #require(throws: FaultError.self) { _ = try FaultScript(bytes) }
        #expect(error.line == 2 && error.reason.contains("UTF-8"))
        #expect(try FaultScript(Array("query in zone Café -> delay 1ms".utf8)).rules.count == 1)
    }

    @Test func `two faults of one name are refused together, and one replaces another later`()
        throws
    {
        let bench = try Bench()
        let set = #"["busy: query -> THROTTLED"]"#
        #expect(try bench.admin("PUT", "faults", set).status == 200)
        for (method, both) in [
            ("POST", #"["a: any -> delay 1ms","a: any -> delay 2ms"]"#),
            ("PUT", #"["any -> delay 1ms","fault-1: any -> delay 2ms"]"#),
        ] {
            let refused = try bench.admin(method, "faults", both)
            #expect(refused.status == 400 && refused.text.contains("two faults are named"))
        }
        let later = try bench.admin("POST", "faults", #"["busy: query -> delay 1ms"]"#)
        #expect(
            later.json?["rules"]?.elements.map { $0["text"]?.string } == [
                "records/query -> delay 1ms"
            ])
    }

    @Test(
        arguments: [
            ("any -> delay 1ms\n\n  any -> dely 1ms", 3, 10),
            ("a: any -> delay 1ms\na: any -> delay 1ms", 2, nil),
            ("any -> delay 1ms\nany", 2, 4),
            ("# fine\nusers/caller -> empty page", 2, nil),
            ("\nany \"-> delay", 2, 5),
        ] as [(String, Int, Int?)])
    func `a wrong script is refused with line and column`(
        text: String, line: Int, column: Int?
    ) throws {
        let error = try #require(throws: FaultError.self) { _ = try FaultScript(text) }
        #expect(error.line == line && error.column == column, "\(error)")
        #expect(error.description.hasPrefix("line \(line)"))
    }
}
