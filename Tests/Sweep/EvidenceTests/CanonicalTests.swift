import Evidence
import Foundation
import Testing

struct CanonicalTests {
    @Test func `keys are ordered by UTF-16 code units, and texts escaped as RFC 8785 says`() {
        let value = CanonicalValue.object([
            ("\u{FB33}", .number(3)), ("\u{20AC}", .number(1)), ("\u{1F600}", .number(2)),
            ("a", .text("\u{8}\u{C}\n\r\t\"\\/<\u{1F}\u{7F}\u{2028}")), ("z", .absent),
        ])
        #expect(
            String(decoding: value.canonicalBytes, as: UTF8.self)
                == "{\"a\":\"\\b\\f\\n\\r\\t\\\"\\\\/<\\u001f\u{7F}\u{2028}\",\"\u{20AC}\":1,"
                + "\"\u{1F600}\":2,\"\u{FB33}\":3}")
    }

    @Test func `what is written reads back as the same bytes`() throws {
        let value = CanonicalValue.object([
            ("list", .list([.flag(true), .flag(false), .number(-9_007_199_254_740_991)])),
            ("most", .number(CanonicalValue.integerMax)), ("none", .list([])),
            ("text", .text("\u{1F600}é e\u{301}")), ("zero", .number(0)),
        ])
        let bytes = value.canonicalBytes
        #expect(try StrictReader.canonical(bytes).canonicalBytes == bytes)
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"c":3,"b":4}"#, #"{"b":1,"a":2,"a":3}"#,
        #"{"\u0061":1,"a":2}"#, "1.5", "1e3", "1E3", "-0", "01", "-", "+1",
        "9007199254740992", "-9007199254740992", "18446744073709551616", "null", "NaN", "tru",
        "\u{FEFF}1", "1 1", "[1,]", "{\"a\":1,}", "{\"a\"}", "\"\\ud800\"", "\"\\udc00\\ud800\"",
        "\"\\ud800x\"", "\"\\x\"", "\"\n\"", "\"", "", "[", #"{1:2}"#,
    ])
    func `the reader refuses what two readers could take for two things`(text: String) {
        let error = #expect(throws: EvidenceError.self) { try StrictReader.read(utf8(text)) }
        #expect(error?.code == .malformed)
    }

    @Test(arguments: [#"{ "a":1}"#, #"{"b":1,"a":2}"#, #""\u0041""#, #""\/""#, "1\n"])
    func `the canonical form is one`(text: String) {
        #expect(throws: Never.self) { try StrictReader.read(utf8(text)) }
        let error = #expect(throws: EvidenceError.self) { try StrictReader.canonical(utf8(text)) }
        #expect(error?.code == .malformed)
    }

    @Test func `invalid UTF-8, depth and size are refused before they cost anything`() {
        let deep = [UInt8](repeating: 0x5B, count: 100_000)
        for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], deep] {
            let error = #expect(throws: EvidenceError.self) { try StrictReader.read(bytes) }
            #expect(error?.code == .malformed)
        }
        let error = #expect(throws: EvidenceError.self) {
            try StrictReader.read([0x31, 0x31, 0x31], bytesMax: 2)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `sixteen deep is read, seventeen is not`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            utf8(
                String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth))
        }
        #expect(throws: Never.self) { try StrictReader.read(nested(StrictReader.depthMax)) }
        #expect(throws: EvidenceError.self) {
            try StrictReader.read(nested(StrictReader.depthMax + 1))
        }
    }
}
