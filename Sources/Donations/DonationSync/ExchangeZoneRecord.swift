import Basics
import CloudModel
import Donations

/// The zone's own record: which incarnation it is, the key of its digests, and what was collected.
struct ExchangeZoneRecord: Sendable, Hashable {
    /// The version of the records that this code reads and writes.
    static let schema: Int64 = 1

    var incarnation: String
    var schema = Self.schema
    var key: [UInt8]
    var base: DeletionContext = [:]

    init(incarnation: String, key: [UInt8], base: DeletionContext = [:]) {
        self.incarnation = incarnation
        self.key = key
        self.base = base
    }

    init(_ record: Record) throws(SyncRefusal) {
        let fields = ExchangeFields(record: record)
        incarnation = try fields.required("incarnation")
        schema = try fields.number("schema") ?? 0
        guard !incarnation.isEmpty, incarnation.utf8.count <= 128,
            let key = try fields.bytes("zoneKey"), (16...64).contains(key.count)
        else { throw .unreadable }
        self.key = key
        base = try fields.context("base")
    }

    /// The fields as they are written.
    var fields: [String: Field?] {
        [
            "incarnation": Field(.string(incarnation)), "schema": Field(.int64(schema)),
            "zoneKey": Field(.bytes(key), isEncrypted: true), "base": Field(.bytes(base.encoded)),
        ]
    }
}

extension SyncDevice {
    /// A device as its record tells.
    init(_ record: Record) throws(SyncRefusal) {
        let fields = ExchangeFields(record: record)
        guard let name = ExchangeNames.device(named: record.id.recordName),
            let round = try fields.number("round"),
            (0...ExchangeNames.sequenceMax).contains(round)
        else { throw .unreadable }
        self.init(
            name: name, context: try fields.context("context"), round: round,
            tag: record.recordChangeTag, seenAt: record.modified.timestamp)
    }

    /// The fields of a device's record.
    static func fields(
        _ context: DeletionContext, round: Int64, at time: Timestamp
    ) -> [String: Field?] {
        [
            "context": Field(.bytes(context.encoded)), "round": Field(.int64(round)),
            "at": Field(.timestamp(time)),
        ]
    }
}

extension SyncDeletion {
    /// The most digests of one deletion; larger selectors are made into several.
    static let keysMax = 2000

    /// A deletion as its record tells; one with a selector of a kind that is not known is refused.
    init(_ record: Record) throws(SyncRefusal) {
        let fields = ExchangeFields(record: record)
        guard let name = ExchangeNames.deletion(named: record.id.recordName),
            try fields.text("device") == name.device, try fields.number("seq") == name.sequence,
            let kind = DonationSelector.Kind(travelling: try fields.required("selector")),
            let at = try fields.time("at")
        else { throw .unreadable }
        let keys = try fields.texts("keys")
        let index = try fields.text("indexKey")
        guard !kind.namesSomething || !keys.isEmpty,
            (keys + [index].compactMap { $0 }).allSatisfy({ $0.utf8.count == 32 })
        else { throw .unreadable }
        self.init(
            device: name.device, sequence: name.sequence, kind: kind.rawValue, keys: keys, at: at)
        indexKey = index
        from = try fields.number("from") ?? 0
        until = try fields.number("until") ?? 0
        storedAt = record.created.timestamp
    }

    /// An own deletion as it is sent; nil when it means nothing.
    package init?(_ own: OwnDeletion, device: String, _ keys: ExchangeKeys) {
        let travelling: ExchangeSelector? =
            switch own.words {
            case .selector(let words): ExchangeSelector(words, keys)
            case .digests(let digests): digests
            }
        guard let selector = travelling else { return nil }
        self.init(
            device: device, sequence: own.sequence, kind: selector.kind.rawValue,
            keys: Set(selector.keys).sorted(), at: own.at)
        indexKey = selector.indexKey
        from = selector.from
        until = selector.until
    }

    /// The fields as they are written: no word of the user.
    var fields: [String: Field?] {
        var fields: [String: Field?] = [
            "device": Field(.string(device)), "seq": Field(.int64(sequence)),
            "selector": Field(.string(kind)), "at": Field(.timestamp(at)),
        ]
        if !keys.isEmpty {
            fields["keys"] = Field(.list(.string, keys.map { .string($0) }))
        }
        if let indexKey { fields["indexKey"] = Field(.string(indexKey)) }
        if from != 0 || until != 0 {
            fields["from"] = Field(.int64(from))
            fields["until"] = Field(.int64(until))
        }
        return fields
    }

    var recordName: String { ExchangeNames.deletion(device, sequence) }

    /// Its selector; nil for a kind that is not known.
    var selector: ExchangeSelector? {
        guard let kind = DonationSelector.Kind(travelling: kind) else { return nil }
        var selector = ExchangeSelector(kind, keys: keys, indexKey: indexKey)
        selector.from = from
        selector.until = until
        return selector
    }

    /// Whether both are the same deletion, whatever is known of their records.
    func isSame(as other: SyncDeletion) -> Bool {
        device == other.device && sequence == other.sequence && kind == other.kind
            && Set(keys) == Set(other.keys) && indexKey == other.indexKey && from == other.from
            && until == other.until && at == other.at
    }
}
