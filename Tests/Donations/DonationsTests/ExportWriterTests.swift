import Basics
import Donations
import RandomSeeds
import Testing

struct ExportWriterTests {
    static func text(_ row: Donation) -> String {
        var writer = ExportWriter()
        writer.row(row)
        return String(decoding: writer.take(), as: UTF8.self)
    }

    @Test func `what is not set is left out`() {
        let row = Donation(.interaction, identifier: "1", type: "A", at: .init(milliseconds: 5))
        #expect(Self.text(row) == #"{"kind":"interaction","type":"A","identifier":"1","begin":5}"#)
    }

    @Test(arguments: [
        ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{1}\u{1F}", #""\n\r\t\u0001\u001f""#),
        ("é🍅", #""é🍅""#), ("</script>", #""</script>""#),
    ])
    func `texts are escaped no more than they must be`(title: String, json: String) {
        var row = Donation(.searchableItem, identifier: "1", type: "A", at: .init(milliseconds: 0))
        row.title = title
        #expect(Self.text(row).contains("\"title\":\(json)"))
    }

    @Test func `dictionaries and sets have one order`() {
        let seed = Seeds.one("orders of dictionaries")
        var random = SeededGenerator(seed: seed)
        let pairs = (0..<20).map { (key: PayloadValue.string("k\($0)"), value: PayloadValue.null) }
        let elements = (0..<20).map { PayloadValue.integer(Int64($0)) }
        var texts: Set<String> = []
        for _ in 0..<10 {
            var row = Donation(.interaction, identifier: "1", type: "A", at: .init(milliseconds: 0))
            row.payload =
                PayloadValue.array([
                    .dictionary(pairs.shuffled(using: &random)),
                    .set(elements.shuffled(using: &random)),
                ]).encoded
            row.numbers = ["b": 1, "a": 2, "c": 3]
            texts.insert(Self.text(row))
        }
        #expect(texts.count == 1, "seed \(seed)")
    }

    @Test func `a document is one, with and without rows`() {
        var writer = ExportWriter()
        writer.head(application: "com.example.a")
        writer.lists()
        writer.tail()
        #expect(
            String(decoding: writer.take(), as: UTF8.self)
                == "{\n\"version\":1,\n\"application\":\"com.example.a\",\n\"donations\":[\n],\n"
                + "\"lists\":[\n]\n}\n")
    }
}
