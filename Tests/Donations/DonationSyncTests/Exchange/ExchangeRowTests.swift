import Basics
import CloudModel
import DonationSync
import Donations
import Testing

/// Rows as records, and records nobody of us wrote.
struct ExchangeRowTests {
    private static let keys = ExchangeKeys(key: Array(repeating: 7, count: 32), digest: .cheap)

    private static var full: Donation {
        var row = Donation(
            .interaction, identifier: "id-\u{1F600}", type: "SendMessage",
            at: Timestamp(milliseconds: 5000))
        row.begin = Timestamp(milliseconds: 1000)
        row.end = Timestamp(milliseconds: 2000)
        row.expiration = Timestamp(milliseconds: 9000)
        row.group = "group"
        row.domain = "a.b"
        row.indexName = "index"
        row.eligibility = [.search, .prediction]
        row.title = "title"
        row.displayName = "name"
        row.keywords = ["one", "two"]
        row.description = "text"
        row.suggestedInvocationPhrase = "phrase"
        row.webpageURL = "https://example.com/x"
        row.targetContentIdentifier = "target"
        row.predictionKey = [1, 2]
        row.entityType = "Contact"
        row.entityIdentifier = "7"
        row.numbers = ["direction": 1, "status": 3, "rankingHint": 9]
        row.payload = PayloadValue.dictionary(["key": .string("secret-payload")]).encoded
        row.mentions = ["ann@example.com"]
        row.nestedActivity = .init(
            activityType: "nested", persistentIdentifier: "pid", payload: [4])
        row.actionID = "action"
        row.protectionClass = "complete"
        row.link = ContentLink(
            container: "iCloud.com.example", scope: "private", zone: "Z", record: "R")
        return row
    }

    private static func record(
        _ row: ExchangeRow, name: String? = nil, type: String = "Donation"
    ) throws -> Record {
        let fields = try row.fields(keys, item: nil).compactMapValues { $0 }
        return record(fields, name: name ?? row.name(keys) ?? "d-1", type: type)
    }

    private static func record(
        _ fields: [String: Field], name: String, type: String = "Donation"
    ) -> Record {
        let stamp = Record.Stamp(
            timestamp: Timestamp(milliseconds: 1), userRecordName: "_u", deviceID: "1")
        return Record(
            id: Record.ID(name), recordType: type, recordChangeTag: "t", fields: fields,
            created: stamp, modified: stamp)
    }

    @Test func `a row comes back as it went, without its images`() throws {
        var row = Self.full
        let sent = ExchangeRow(row, device: "aa", context: ["bb": 3])
        #expect(try ExchangeRow(Self.record(sent)) == sent)
        row.images = [Donation.Image(parameter: "p", bytes: [1, 2, 3], file: "image-1")]
        let back = try ExchangeRow(
            Self.record(ExchangeRow(row, device: "aa", context: ["bb": 3])))
        #expect(back == sent)
    }

    @Test(arguments: DonationKind.donations)
    func `every kind has its type of record`(kind: DonationKind) throws {
        let row = Donation(kind, identifier: "x", type: "t", at: Timestamp(milliseconds: 1))
        let sent = ExchangeRow(row, device: "aa", context: [:])
        let type =
            switch kind {
            case .savedActivity: "SavedActivity"
            case .searchableItem: "SearchItem"
            default: "Donation"
            }
        #expect(try ExchangeRow(Self.record(sent, type: type)).donation.kind == kind)
        #expect(throws: SyncRefusal.unreadable) {
            try ExchangeRow(Self.record(sent, type: "Deletion"))
        }
    }

    @Test func `words stand in encrypted fields only`() throws {
        let fields = try ExchangeRow(Self.full, device: "aa", context: ["bb": 3])
            .fields(Self.keys, item: nil)
        let words = ["id-", "group", "title", "phrase", "SendMessage", "secret", "ann@", "a.b"]
        for (name, field) in fields {
            guard let field, !field.isEncrypted else { continue }
            let shown = "\(field.value)"
            for word in words { #expect(!shown.contains(word), "\(name): \(shown)") }
        }
        #expect(fields["payload"]??.isEncrypted == true)
        #expect(fields["identifier"]??.isEncrypted == true)
    }

    @Test func `what would have to be an asset is refused`() {
        var row = Self.full
        row.payload = PayloadValue.data(Array(repeating: 1, count: 101 * 1024)).encoded
        #expect(throws: SyncRefusal.needsAsset) {
            try ExchangeRow(row, device: "aa", context: [:]).fields(Self.keys, item: nil)
        }
        row = Self.full
        row.title = String(repeating: "x", count: 65 * 1024)
        #expect(throws: SyncRefusal.tooLarge) {
            try ExchangeRow(row, device: "aa", context: [:]).fields(Self.keys, item: nil)
        }
        row = Self.full
        row.domain = Array(repeating: "x", count: 65).joined(separator: ".")
        #expect(throws: SyncRefusal.tooLarge) {
            try ExchangeRow(row, device: "aa", context: [:]).fields(Self.keys, item: nil)
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `no record breaks the reading of records`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = try ExchangeRow(Self.full, device: "aa", context: ["bb": 3])
            .fields(Self.keys, item: nil).compactMapValues { $0 }
        let names = good.keys.sorted() + ["savedActivity", "item", "related", "pid", "seq"]
        var refused = 0
        for _ in 0..<300 {
            var fields = good
            for _ in 0...random.next() % 3 {
                let name = names[Int(random.next() % UInt64(names.count))]
                fields[name] = random.next() % 4 == 0 ? nil : Self.hostile(&random, fields[name])
            }
            do throws(SyncRefusal) {
                let row = try ExchangeRow(Self.record(fields, name: "d-1"))
                // What is read can be written again, or is refused for a reason.
                _ = try? row.fields(Self.keys, item: nil)
            } catch {
                refused += 1
                #expect(error == .unreadable)
            }
        }
        #expect(refused > 30, "seed \(seed)")
    }

    private static func hostile(_ random: inout SeededGenerator, _ old: Field?) -> Field {
        switch random.next() % 9 {
        case 0: return Field(.int64(Int64(bitPattern: random.next())))
        case 1: return Field(.int64(.min))
        case 2: return Field(.string(String(repeating: "\u{0}\u{301}", count: 70_000)))
        case 3: return Field(.timestamp(Timestamp(milliseconds: .max)))
        case 4:
            return Field(
                .bytes(
                    (0..<random.next() % 40).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        case 5: return Field(.list(.string, [.int64(3), .string("x")]))
        case 6: return Field(.reference(Record.Reference("_x", action: .deleteSelf)))
        case 7:
            guard case .bytes(var bytes)? = old?.value, !bytes.isEmpty else {
                return Field(.double(.nan))
            }
            let place = Int(random.next() % UInt64(bytes.count))
            bytes[place] = UInt8(truncatingIfNeeded: random.next())
            return Field(.bytes(bytes))
        default: return Field(.double(-.infinity))
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `facts come back as they were stored, and nothing else is read`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var facts = ExchangeFacts()
        facts.isOn = true
        facts.device = "abc"
        facts.origin = "def"
        facts.sequence = 4
        facts.round = 9
        facts.incarnation = "nonce"
        facts.zoneKey = [1, 2, 3]
        facts.context = ["abc": 4, "bb": 2]
        facts.base = ["bb": 1]
        facts.confirmed = ["abc": 3]
        facts.isRegistered = true
        facts.zoneTag = "z"
        facts.zoneLacksBase = true
        facts.token = ChangeToken("t")
        facts.isScanning = false
        facts.generation = 12
        facts.checkedGeneration = 11
        facts.serverTime = Timestamp(milliseconds: 77)
        facts.devices = [
            SyncDevice(
                name: "bb", context: ["bb": 2], round: 3, tag: "g",
                seenAt: Timestamp(milliseconds: 5))
        ]
        let bytes = facts.encoded
        #expect(ExchangeFacts(decoding: bytes) == facts)
        #expect(ExchangeFacts(decoding: ExchangeFacts().encoded) == ExchangeFacts())
        for _ in 0..<300 {
            var broken = bytes
            broken[Int(random.next() % UInt64(broken.count))] = UInt8(
                truncatingIfNeeded: random.next())
            if random.next() % 3 == 0 {
                broken.removeLast(Int(random.next() % UInt64(broken.count)))
            }
            _ = ExchangeFacts(decoding: broken)
        }
    }
}
