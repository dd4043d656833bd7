import Donations
import Testing

/// The query language, as values.
struct QueryParserTests {
    /// 2026-03-18 12:00:00 UTC, a Wednesday.
    static let now = 1_773_835_200.0

    static func parse(_ query: String) throws -> QueryPredicate {
        try QueryPredicate(parsing: query, now: now)
    }

    static func holds(_ query: String, _ item: [String: [QueryValue]]) throws -> Bool {
        try parse(query).holds { subject in
            switch subject {
            case .attribute(let name): item[name] ?? []
            case .searchableText: QueryAttributes.searchable.flatMap { item[$0] ?? [] }
            case .anything: item.values.flatMap { $0 }
            }
        }
    }

    static let soup: [String: [QueryValue]] = [
        "title": [.text("Crème de la Crème")], "keywords": [.text("Soup"), .text("hot lunch")],
        "rankingHint": [.number(40)], "dueDate": [.date(now)], "identifier": [.text("soup-1")],
        "com_example_spice": [.text("mild")],
    ]

    @Test(arguments: [
        (#"title == "Crème de la Crème""#, true), (#"title == "crème de la crème""#, false),
        (#"title == "crème de la crème"c"#, true), (#"title == "Creme de la Creme"d"#, true),
        (#"title == "creme de la creme"cd"#, true), (#"title == "creme*"cd"#, true),
        (#"title == "*CREME"dc"#, true), (#"title == "*de*"c"#, true), (#"title == "de*"c"#, false),
        (#"title == "c*la*e"cd"#, true), (#"title == "c*la*la*e"cd"#, false),
        (#"title == "la"cdw"#, true), (#"title == "l"cdw"#, false), (#"title == "l*"cdw"#, true),
        (#"title == "*eme"cdw"#, true), (#"title == "*em"cdw"#, false),
        (#"title == "de la"cdw"#, true), (#"title == "de l"cdw"#, false),
        (#"title == 'Crème*'"#, true), (#"title != "soup"c"#, true),
        (#"title != "creme*"cd"#, false), (#"subject != "x""#, true), (#"subject == "*""#, false),
        (#"keywords == "hot lunch""#, true), (#"keywords == "soup"c"#, true),
        (#"keywords != "soup"c"#, false), (#"** == "soup"c"#, true), (#"* == "mild""#, true),
        (#"** == "mild""#, false), (#"com_example_spice == "mild""#, true),
        (#"kMDItemTitle == "creme*"cd"#, true), (#"_kMDItemExternalID == "soup-1""#, true),
        (#"identifier == "soup-1" && rankingHint == 40"#, true),
        (#"identifier == "soup-2" || rankingHint >= 40"#, true),
        (#"identifier == "soup-2" || rankingHint > 40"#, false),
        ("rankingHint < 40.5 && rankingHint>-1e2", true), ("rankingHint != 40", false),
        ("InRange(rankingHint, 40, 41)", true), ("InRange( rankingHint , 41 , 50 )", false),
        ("dueDate <= $time.now", true), ("dueDate < $time.now", false),
        ("dueDate > $time.now(-60)", true), ("dueDate >= $time.today(+1)", false),
        ("dueDate == $time.iso(2026-03-18T12:00:00Z)", true),
        ("dueDate == $time.iso(2026-03-18 13:00:00 +0100)", true),
        ("dueDate == $time.iso(2026-03-18T06:30:00-05:30)", true),
        ("InRange(dueDate,$time.this_week,$time.this_week(1))", true),
        ("dueDate < $time.this_month(1) && dueDate > $time.this_month(-1)", true),
        ("dueDate > $time.yesterday && dueDate < $time.this_year(1)", true),
        (#"(title == "x" || (title == "y") || rankingHint == 40) && title == "C*""#, true),
        // && binds closer than ||.
        (#"rankingHint == 40 || title == "x" && title == "y""#, true),
        (#"identifier > "soup-0" && identifier < "soup-2""#, true),
        (#"identifier == "soup\-1""#, true), (#"title == "\*""#, false),
    ])
    func `a query holds for what it describes`(query: String, expected: Bool) throws {
        #expect(try Self.holds(query, Self.soup) == expected)
    }

    @Test(arguments: [
        ("", QueryError.Code.expectedAttribute, 0), ("   ", .expectedAttribute, 3),
        ("title", .expectedOperator, 5), ("title = \"x\"", .expectedOperator, 6),
        ("title == ", .expectedValue, 9), ("title == x", .expectedValue, 9),
        ("title == \"x", .unclosedText, 9), ("title == \"x\\", .unclosedText, 9),
        ("title == 'x\"", .unclosedText, 9), ("title == \"x\"q", .unknownModifier, 12),
        ("title == \"x\"C", .unknownModifier, 12), ("title == \"x\" title", .expectedEnd, 13),
        ("title == \"x\" &&", .expectedAttribute, 15), ("&& title == \"x\"", .expectedAttribute, 0),
        ("title == \"x\" & title == \"y\"", .expectedEnd, 13),
        ("(title == \"x\"", .expectedParenthesis, 13), ("title == \"x\")", .expectedEnd, 12),
        ("rankingHint == \"40\"", .wrongKind, 15), ("title == 40", .wrongKind, 9),
        ("dueDate == 40", .wrongKind, 11), ("** == 40", .wrongKind, 6),
        ("title < \"a*\"", .unorderedText, 8), ("title < \"a\"c", .unorderedText, 8),
        ("rankingHint == 1.2.3", .badNumber, 15), ("rankingHint == -", .badNumber, 15),
        ("rankingHint == 1e999", .badNumber, 15), ("dueDate > $time.never", .unknownTime, 10),
        ("dueDate > $now", .unknownTime, 10), ("dueDate > $time.today(x)", .unknownTime, 10),
        ("dueDate > $time.iso(2026-02-30)", .unknownTime, 10),
        ("dueDate > $time.iso()", .unknownTime, 10),
        ("dueDate > $time.now(", .expectedParenthesis, 20),
        ("dueDate > $time.today(9223372036854775807)", .unknownTime, 10),
        ("dueDate > $time.now(99999999999999999999)", .unknownTime, 10),
        ("dueDate > $time.now(-9223372036854775808)", .unknownTime, 10),
        ("InRange(rankingHint 1, 2)", .expectedComma, 20),
        ("InRange(rankingHint, 1)", .expectedComma, 22),
        ("InRange rankingHint", .expectedParenthesis, 8),
        ("\u{1F600} == 1", .expectedAttribute, 0),
    ])
    func `a malformed query is refused at its place`(
        query: String, code: QueryError.Code, position: Int
    ) {
        #expect(throws: QueryError(code, at: position)) { try Self.parse(query) }
    }

    @Test func `limits hold without a trap`() throws {
        let deep = String(repeating: "(", count: 5_000)
        #expect(throws: QueryError(.tooDeep, at: QueryPredicate.depthMax)) {
            try Self.parse(deep)
        }
        let long = "title == \"" + String(repeating: "x", count: 10_000) + "\""
        #expect(throws: QueryError(.tooLong, at: QueryPredicate.lengthMax)) {
            try Self.parse(long)
        }
        let many = Array(repeating: "title==\"x\"", count: 257).joined(separator: "||")
        #expect { try Self.parse(many) } throws: {
            ($0 as? QueryError)?.code == .tooManyComparisons
        }
        let allowed = Array(repeating: "title==\"x\"", count: 256).joined(separator: "||")
        #expect(try Self.holds(allowed, ["title": [.text("x")]]))
    }

    @Test func `any garbage gives an error or a predicate, never a trap`() {
        let alphabet = Array("title(==)\"*\\'&&||$time.iso InRange,<>!=-1e9cdwé\u{301}\u{0}")
        var state: UInt64 = 20_261_120
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            _ = try? Self.holds(text, Self.soup)
        }
    }

    @Test(arguments: [
        (#"title == "soup*"cd"#, #"title : "soup" *"#),
        (#"title == "soup of day""#, #"title : "soup of day""#),
        (#"title == "*soup""#, nil), (#"** == "so""up""#, nil), (#"** == "soup"c"#, #""soup""#),
        (#"* == "soup""#, nil), ("rankingHint == 1", nil), (#"title == "--""#, nil),
        (#"title == "a" && rankingHint == 1"#, #"(title : "a")"#),
        (#"title == "a" || rankingHint == 1"#, nil), (#"title != "a""#, nil),
        (#"title == "a" || keywords == "b*""#, #"(title : "a" OR keywords : "b" *)"#),
        (#"title == "say \"hi\"""#, #"title : "say ""hi""""#), (#"subject == "a""#, nil),
    ])
    func `the full-text index is asked only for what every match holds`(
        query: String, expression: String?
    ) throws {
        guard let predicate = try? Self.parse(query) else {
            #expect(expression == nil)
            return
        }
        let found = QueryFullText(for: predicate) { name in
            QueryAttributes.searchable.contains(name) ? name : nil
        }
        #expect(found?.expression == expression)
    }

    @Test func `words of a person are never taken for syntax`() {
        #expect(QueryFullText(words: "a\" OR b*")?.expression == "\"a\" \"OR\" \"b\" *")
        #expect(
            QueryFullText(words: "NEAR(x) ^y -z")?.expression
                == "\"NEAR\" \"x\" \"y\" \"z\" *")
        #expect(QueryFullText(words: " \" * ( ") == nil)
        let many = String(repeating: "word ", count: 1_000)
        #expect(QueryFullText.words(of: many).count == QueryFullText.wordCountMax)
    }

    @Test func `folding makes alike what only marks and capitals tell apart`() {
        #expect(QueryFolding.bytes(of: "ÉCLAIR") == Array("eclair".utf8))
        #expect(QueryFolding.bytes(of: "e\u{301}clair") == QueryFolding.bytes(of: "éclair"))
        #expect(QueryFolding.bytes(of: "Ünï", diacriticInsensitive: false) == Array("ünï".utf8))
        #expect(
            QueryFolding.bytes(of: "Ünï", caseInsensitive: false) == Array("Uni".utf8))
        // Byte-wise without modifiers: the two spellings of é differ.
        #expect(!QueryPattern(pieces: ["é"]).matches("e\u{301}"))
    }
}
