import JSON
import Testing

struct JSONDocumentTests {
    private func parse(_ text: String, limits: JSONLimits = .standard) throws -> JSONValue {
        try JSONDocument.parse(Array(text.utf8), limits: limits).root
    }

    @Test func `every kind of value reads as what it is`() throws {
        let root = try parse(
            #"{"o":{},"a":[1,2,3],"s":"x","i":-5,"d":1.5,"t":true,"f":false,"n":null}"#)
        #expect(root.kind == .object && root.count == 8)
        #expect(root["o"]?.kind == .object)
        #expect(root["a"]?.elements.map(\.int64) == [1, 2, 3])
        #expect(root["s"]?.string == "x" && root["s"]?.isString("x") == true)
        #expect(root["i"]?.int64 == -5 && root["i"]?.double == -5)
        #expect(root["d"]?.double == 1.5 && root["d"]?.int64 == nil)
        #expect(root["t"]?.bool == true && root["f"]?.bool == false)
        #expect(root["n"]?.isNull == true && root["absent"] == nil)
        #expect(root.members.map(\.key) == ["o", "a", "s", "i", "d", "t", "f", "n"])
    }

    @Test func `values of one kind answer nil when asked as another`() throws {
        let root = try parse(#"["1", 1, true, null, {}, []]"#)
        let values = Array(root.elements)
        #expect(values.map(\.string) == ["1", nil, nil, nil, nil, nil])
        #expect(values.map(\.int64) == [nil, 1, nil, nil, nil, nil])
        #expect(values.map(\.bool) == [nil, nil, true, nil, nil, nil])
        #expect(values.map(\.count) == [0, 0, 0, 0, 0, 0])
        #expect(values.allSatisfy { $0["x"] == nil && $0.isString("") == false })
        #expect(Array(values[4].elements).isEmpty && Array(values[5].members).isEmpty)
    }

    @Test(arguments: [
        ("9223372036854775807", Int64.max, 0x1p63), ("-9223372036854775808", Int64.min, -0x1p63),
        ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992),
        ("9223372036854775808", nil, 0x1p63), ("18446744073709551615", nil, 0x1p64),
        ("3.0", nil, 3), ("1e2", nil, 100), ("-0", 0, 0), ("5e-324", nil, .leastNonzeroMagnitude),
        ("1.7976931348623157e308", nil, Double.greatestFiniteMagnitude),
    ])
    func `integers are exact and other numbers the nearest double`(
        text: String, integer: Int64?, double: Double
    ) throws {
        let value = try parse("[\(text)]").elements.first { _ in true }
        #expect(value?.int64 == integer)
        #expect(value?.double == double)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
        (#""\ud83d\ude00""#, "😀"), (#""a\u0000b""#, "a\0b"), ("\"é€😀\"", "é€😀"),
    ])
    func `escapes become characters`(text: String, expected: String) throws {
        #expect(try parse("[\(text)]").elements.map(\.string) == [expected])
    }

    @Test func `the last of repeated keys counts and the first repetition can be found`() throws {
        let root = try parse("{\"a\":1,\n \"b\":{\"x\":1,\"x\":2},\"a\":3}")
        #expect(root["a"]?.int64 == 3)
        #expect(root["b"]?["x"]?.int64 == 2)
        let repeated = try #require(root.document.repeatedKey)
        #expect(repeated.key == "x")
        #expect(repeated.keyLocation.offset == 20)
        #expect(try parse(#"{"a":{"a":[{"a":1},{"a":1}]}}"#).document.repeatedKey == nil)
    }

    @Test(arguments: [0, 1, 2, 15, 16, 17, 40, 3000])
    func `a repeated key is found among few and among many`(count: Int) throws {
        let members = (0..<count).map { "\"key \($0)\":{\"a\":[],\"b\":\($0)}" }
        let text = members.joined(separator: ",")
        #expect(try parse("{\(text)}").document.repeatedKey == nil)
        guard count > 0 else { return }
        // The same key in another spelling, and far away.
        let again = try parse("{\(text),\"\\u006bey 0\":7}").document.repeatedKey
        #expect(again?.value.int64 == 7)
    }

    @Test func `a large text is read as a small one is`() throws {
        let item = #"{"name":"\u00e9 \"x\"","numbers":[1,-2,3.5],"none":null,"yes":true}"#
        let few = try parse("[\(item),\(item)]")
        let text = "[" + repeatElement(item, count: 20_000).joined(separator: ",") + "]"
        #expect(text.utf8.count > 1 << 20)
        let many = try parse(text)
        #expect(many.count == 20_000)
        for value in many.elements {
            #expect(value["name"]?.string == few.elements.first { _ in true }?["name"]?.string)
            #expect(value["numbers"]?.elements.map(\.double) == [1, -2, 3.5])
            #expect(value["yes"]?.bool == true && value["none"]?.isNull == true)
        }
        #expect(many.document.repeatedKey == nil)
        #expect(throws: JSONError.self) { _ = try self.parse(text + "]") }
        #expect(throws: JSONError.self) { _ = try self.parse("[" + text) }
    }

    @Test(
        arguments: [
            ("[1,2,3]", 4), (#"{"a":{"b":[]}}"#, 8), ("[]", 2), ("7", 0),
            (#"["{,:\"}]\\","\\\\"]"#, 3), ("[\"" + String(repeating: ",", count: 90) + "\"]", 2),
            (#"["a\u0022,b","é,"]"#, 3),
        ] as [(String, Int)])
    func `marks are counted outside strings alone`(text: String, marks: Int) throws {
        let padded = text + String(repeating: " ", count: 100)
        _ = try parse(padded, limits: JSONLimits(marksMax: marks))
        guard marks > 0 else { return }
        let error = try #require(throws: JSONError.self) {
            _ = try self.parse(padded, limits: JSONLimits(marksMax: marks - 1))
        }
        #expect(error.reason.contains("more than \(marks - 1) brackets"))
    }

    @Test func `keys are compared byte by byte, not as Unicode text`() throws {
        let root = try parse("{\"e\u{301}\":1}")
        #expect(root["e\u{301}"]?.int64 == 1)
        #expect(root["\u{E9}"] == nil)
    }

    @Test(arguments: [
        ("", 1, 1, "unexpected end of the text"), ("   ", 1, 4, "unexpected end of the text"),
        ("{\"a\":1,}", 1, 8, "expected a key in quotation marks"),
        ("{\"a\" 1}", 1, 6, "expected \":\" after a key"),
        ("{\"a\":1 \"b\":2}", 1, 8, "expected \",\" or \"}\""),
        ("[1 2]", 1, 4, "expected \",\" or \"]\""), ("[1,]", 1, 4, "expected a value"),
        ("{\n  \"ö\": tru\n}", 2, 11, "expected true"), ("nul", 1, 4, "unexpected end of the text"),
        ("{} x", 1, 4, "unexpected text after the value"),
        ("[01]", 1, 3, "a number may not begin with 0"), ("[-]", 1, 3, "expected a digit"),
        ("[1.]", 1, 4, "expected a digit"), ("[1e400]", 1, 2, "the number is too large"),
        ("[123456789012345678901]", 1, 2, "the number is too large"),
        ("[\"a\nb\"]", 1, 4, "a control character inside a string"),
        ("[\"\\x\"]", 1, 4, "an unknown escape"),
        ("[\"\\u12g4\"]", 1, 7, "expected four hexadecimal digits"),
        ("[\"\\ud800x\"]", 1, 3, "half of a surrogate pair"),
        ("[\"abc", 1, 6, "unexpected end of the text"), ("[", 1, 2, "unexpected end of the text"),
        ("\u{FEFF}{}", 1, 1, "expected a value"),
        ("{'a':1}", 1, 2, "expected a key in quotation marks"),
        ("[NaN]", 1, 2, "expected a value"), ("[+1]", 1, 2, "expected a value"),
        ("// x", 1, 1, "expected a value"),
    ])
    func `malformed text is refused with line, column and reason`(
        text: String, line: Int, column: Int, reason: String
    ) throws {
        let error = try #require(throws: JSONError.self) { _ = try self.parse(text) }
        #expect(error.line == line && error.column == column && error.reason == reason)
    }

    @Test(
        arguments: [
            [0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D], [0x22, 0xFF, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused where they stand`(bytes: [UInt8]) throws {
        let error = try #require(throws: JSONError.self) { _ = try JSONDocument.parse(bytes) }
        #expect(error.reason == "not UTF-8")
        #expect(error.offset == bytes.firstIndex { $0 > 0x7F })
    }

    @Test func `nesting is limited and errors say where`() throws {
        let limits = JSONLimits(depthMax: 4)
        #expect(try parse("[[[[]]]]", limits: limits).kind == .array)
        let error = try #require(throws: JSONError.self) {
            _ = try self.parse("[{\"a\":[[[]]]}]", limits: limits)
        }
        #expect(error.offset == 8 && error.reason == "nested more than 4 deep")
        let bomb = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { _ = try self.parse(bomb) }
        let deepest = JSONLimits(depthMax: 1024)
        let text = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        #expect(try parse(text, limits: deepest).kind == .array)
    }

    @Test func `length is limited`() throws {
        let limits = JSONLimits(bytesMax: 8)
        #expect(try parse("[123456]", limits: limits).count == 1)
        #expect(throws: JSONError.self) { _ = try self.parse("[1234567]", limits: limits) }
    }

    @Test func `paths and places name every value`() throws {
        let text =
            "{\"operations\": [\n  {\"record\": {\"fields\": {}}},\n  {\"record\": [[], 7]}\n]}"
        let root = try parse(text)
        #expect(root.path == "")
        let operations = Array(try #require(root["operations"]).elements)
        #expect(operations[0]["record"]?["fields"]?.path == "operations[0].record.fields")
        let seven = try #require(operations[1]["record"]?.elements.reversed().first)
        #expect(seven.int64 == 7 && seven.path == "operations[1].record[1]")
        #expect(seven.location.line == 3 && seven.location.column == 19)
    }

    @Test func `a document outlives later parses of its thread`() throws {
        let first = try parse(#"{"key":"first"}"#)
        _ = try parse(#"{"yek":"tsrif","more":[1,2,3]}"#)
        #expect(first["key"]?.string == "first")
    }
}
