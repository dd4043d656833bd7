import JSON
import Testing

struct JSONWriterTests {
    @Test func `objects and arrays get their commas`() {
        var json = JSONWriter()
        json.beginObject()
        json.key("a")
        json.beginArray()
        json.int64(1)
        json.beginObject()
        json.endObject()
        json.string("x")
        json.beginArray()
        json.endArray()
        json.endArray()
        json.key("b")
        json.null()
        json.key("c")
        json.bool(true)
        json.key("d")
        json.quoted(-7 as Int64)
        json.key("e")
        json.quoted(1.5)
        json.key("f")
        json.raw(Array("[0]".utf8))
        json.endObject()
        #expect(
            json.text
                == #"{"a":[1,{},"x",[]],"b":null,"c":true,"d":"-7","e":"1.5","f":[0]}"#)
    }

    @Test(arguments: [
        ("", #""""#), ("plain é€😀", "\"plain é€😀\""), ("\"\\/", #""\"\\/""#),
        ("\n\r\t", #""\n\r\t""#), ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
    ])
    func `strings are escaped no more than they must be`(text: String, expected: String) {
        var json = JSONWriter()
        json.string(text)
        #expect(json.text == expected)
    }

    @Test(arguments: [
        (0.0, "0.0"), (-0.0, "-0.0"), (3, "3.0"), (1.5, "1.5"), (0.1, "0.1"), (1e21, "1e+21"),
        (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (.nan, "null"), (100_000, "1e+05"),
    ])
    func `doubles stay doubles`(value: Double, expected: String) {
        var json = JSONWriter()
        json.double(value)
        #expect(json.text == expected)
    }

    @Test(arguments: [0, 1, -1, 9, 10, .max, .min] as [Int64])
    func `integers are written in full`(value: Int64) {
        var json = JSONWriter()
        json.int64(value)
        #expect(json.text == "\(value)")
    }

    @Test func `pretty text breaks and indents, and reads back the same`() throws {
        var json = JSONWriter(pretty: true)
        json.beginObject()
        json.key("a")
        json.beginArray()
        json.int64(1)
        json.string("two ")
        json.endArray()
        json.key("b")
        json.beginObject()
        json.endObject()
        json.endObject()
        #expect(
            json.text == "{\n  \"a\": [\n    1,\n    \"two \"\n  ],\n  \"b\": {}\n}")
        #expect(try JSONDocument.parse(json.bytes).root["a"]?.count == 2)
    }

    @Test func `a writer starts over after reset, and copies are its reader's own`() {
        var json = JSONWriter()
        json.beginArray()
        json.int64(1)
        let copy = json.copiedBytes()
        json.reset()
        json.beginArray()
        json.endArray()
        #expect(json.text == "[]" && copy == Array("[1".utf8))
    }

    @Test func `lines of JSON hold one value each`() {
        var json = JSONWriter()
        for number in 1...2 {
            json.beginArray()
            json.int64(Int64(number))
            json.endArray()
            json.endLine()
        }
        #expect(json.text == "[1]\n[2]\n")
    }
}
