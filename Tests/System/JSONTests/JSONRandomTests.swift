import Basics
import JSON
import Testing

struct JSONRandomTests {
    /// Writes a random value.
    private func writeValue(
        _ json: inout JSONWriter, _ random: inout SeededGenerator, depth: Int = 0
    ) {
        switch random.next() % (depth < 5 ? 8 : 6) {
        case 0: json.null()
        case 1: json.bool(random.next() % 2 == 0)
        case 2: json.int64(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
        case 3:
            let value = Double(bitPattern: random.next())
            json.double(value.isFinite ? value : 0.5)
        case 4, 5: json.string(text(&random))
        case 6:
            json.beginArray()
            for _ in 0..<random.next() % 5 { writeValue(&json, &random, depth: depth + 1) }
            json.endArray()
        default:
            json.beginObject()
            for _ in 0..<random.next() % 5 {
                json.key(text(&random))
                writeValue(&json, &random, depth: depth + 1)
            }
            json.endObject()
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "\"", "\\", "\n", "\0", "é", "€", "😀", "/", " ", "key", "{", "]"]
        return (0..<random.next() % 6).map { _ in pieces[Int(random.next() % 13)] }.joined()
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `what is written reads back and writes the same bytes again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var json = JSONWriter(pretty: seed % 2 == 0)
        json.beginArray()
        writeValue(&json, &random)
        json.endArray()
        let document = try JSONDocument.parse(json.bytes)
        var again = JSONWriter(pretty: seed % 2 == 0)
        again.value(document.root)
        #expect(again.text == json.text, "seed \(seed)")
        try checkPlaces(document.root, seed)
    }

    /// Every value's place must be where the text has a value of its kind.
    private func checkPlaces(_ value: JSONValue, _ seed: UInt64) throws {
        let byte = value.document.source[value.location.offset]
        let expected: String =
            switch value.kind {
            case .object: "{"
            case .array: "["
            case .string: "\""
            case .integer, .double: "-0123456789"
            case .bool: "tf"
            case .null: "n"
            }
        #expect(expected.utf8.contains(byte), "seed \(seed) at \(value.path)")
        for element in value.elements { try checkPlaces(element, seed) }
        for member in value.members {
            #expect(value.document.source[member.keyLocation.offset] == 0x22, "seed \(seed)")
            try checkPlaces(member.value, seed)
        }
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `damaged text never traps, and every refusal is explained`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var json = JSONWriter()
        json.beginArray()
        writeValue(&json, &random)
        json.endArray()
        var bytes = json.bytes
        for _ in 0...random.next() % 3 {
            let at = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 3 {
            case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: at)
            default: bytes.insert(Array("\"\\{}[],:0e-u".utf8)[Int(random.next() % 12)], at: at)
            }
            if bytes.isEmpty { return }
        }
        do throws(JSONError) {
            _ = try JSONDocument.parse(bytes)
        } catch {
            #expect(error.reason != "cannot be read as JSON", "seed \(seed)")
        }
    }
}
