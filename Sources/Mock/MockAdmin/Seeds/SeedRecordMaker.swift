import Basics
import CloudModel
package import MockStore

/// Makes the records of one zone; a value, the same for the same seed.
package struct SeedRecordMaker: Sendable {
    private var generator: SeededGenerator
    private var earlier: [String] = []
    /// The files of the records so far.
    private(set) var files: [SeedAsset] = []

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next record: of the first type every tenth time, else of the others in turn.
    package mutating func record(
        _ types: [SeedShape.RecordShape], number: Int
    ) -> SeedRecord {
        let isFirst = types.count == 1 || number % 10 == 0
        let type = isFirst ? types[0] : types[1 + number % (types.count - 1)]
        let name = number % 97 == 13 ? oddName(number) : generator.uuid()
        var fields: [String: FieldValue] = [:]
        for field in type.fields {
            let place = AssetField(name, field.name)
            if let value = value(field.kind, at: place, type.type) { fields[field.name] = value }
        }
        if isFirst, earlier.count < 1000 { earlier.append(name) }
        return SeedRecord(name, type: type.type, fields: fields)
    }

    /// Legal, and a trap for who builds URLs or paths of names.
    private mutating func oddName(_ number: Int) -> String {
        let tail = generator.hexadecimal(8)
        return ["a b&c=d?e#f/\(tail)", "..%2F\(tail)", String(repeating: "n", count: 242) + tail][
            number % 3]
    }

    private mutating func value(
        _ kind: SeedShape.FieldShape, at place: AssetField, _ type: String
    ) -> FieldValue? {
        switch kind {
        case .word: return .string(pick(Self.words))
        case .sentence: return .string(sentence())
        case .odd: return .string(pick(Self.odd) + " " + sentence())
        case .integer(let range): return .int64(number(in: range))
        case .real: return .double((generator.unit() * 1000).rounded() / 10)
        case .flag: return .int64(generator.next() % 2 == 0 ? 0 : 1)
        case .moment:
            // Between 2019-01-01 and about 2025-05-01.
            let day = number(in: 17_897...20_210)
            return .timestamp(Timestamp(milliseconds: day * 86_400_000 + 43_200_000))
        case .place:
            var place = Location(
                latitude: (generator.unit() * 1600).rounded() / 10 - 80,
                longitude: (generator.unit() * 3600).rounded() / 10 - 180)
            place.horizontalAccuracy = 10
            return .location(place)
        case .tags:
            let count = Int(generator.next() % 4)
            guard count > 0 else { return nil }
            return .list(.string, (0..<count).map { _ in .string(pick(Self.words)) })
        case .blob(let count):
            return .bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        case .earlier(let action):
            guard !earlier.isEmpty else { return nil }
            return .reference(Record.Reference(pick(earlier), action: action))
        case .several(let kind):
            var values: [FieldValue] = []
            for _ in 0..<1 + generator.next() % 3 {
                if let value = value(kind, at: place, type) { values.append(value) }
            }
            return values.first.map { .list($0.kind, values) }
        case .file(let count):
            guard generator.next() % 5 == 0 else { return nil }
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let file = SeedAsset(field: place, recordType: type, bytes: bytes)
            files.append(file)
            return .asset(Asset(fileChecksum: file.checksum, size: Int64(count)))
        }
    }

    private mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int64(generator.next() % width)
    }

    private mutating func sentence() -> String {
        (0..<3 + Int(generator.next() % 6)).map { _ in pick(Self.words) }.joined(separator: " ")
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int(generator.next() % UInt64(list.count))]
    }

    private static let words = [
        "apple", "breakfast", "call", "deadline", "evening", "ferry", "garden", "harbour", "ink",
        "journey", "kitchen", "letter", "market", "notes", "orchard", "paper", "question", "river",
        "station", "ticket", "umbrella", "village", "window", "yellow",
    ]
    private static let odd = [
        "plain", "Grüße", "日本語", "مرحبا", "👩‍👩‍👧‍👦", "e\u{301}te", "\u{202E}mirror", "tab\tand\nline",
        "\"quoted\" \\ back", "<b>bold</b>", "null", "  spaces  ", "Ωmega",
    ]
}
