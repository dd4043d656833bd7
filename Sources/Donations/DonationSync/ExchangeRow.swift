package import CloudModel
package import Donations

/// A donation as its record carries it.
package struct ExchangeRow: Sendable, Hashable {
    package var donation: Donation
    /// The device that made it.
    package var device: String
    /// The deletions its maker had seen (R2).
    package var context: DeletionContext
    /// The record of the saved activity that an event belongs to.
    package var savedName: String?

    /// Bytes of all fields of one record; the service takes one MiB with its own.
    static let recordBytesMax = 900 * 1024

    private static let kinds: [DonationKind] = [
        .interaction, .activity, .savedActivity, .searchableItem, .appIntent,
    ]

    /// A row as it is to be sent.
    package init(
        _ donation: Donation, device: String, context: DeletionContext, savedName: String? = nil
    ) {
        self.donation = donation
        self.device = device
        self.context = context
        self.savedName = savedName
    }

    /// The type of the records of a kind.
    static func type(of kind: DonationKind) -> ExchangeRecordType {
        switch kind {
        case .savedActivity: .savedActivity
        case .searchableItem: .searchItem
        default: .donation
        }
    }

    // MARK: Reading

    /// Reads a record of one of the three types.
    package init(_ record: Record) throws(SyncRefusal) {
        let fields = ExchangeFields(record: record)
        guard let number = try fields.number("kind"),
            Self.kinds.indices.contains(Int(clamping: number)),
            let begin = try fields.time("at"), let end = try fields.time("until"),
            let donated = try fields.time("donated")
        else { throw .unreadable }
        let kind = Self.kinds[Int(clamping: number)]
        guard record.recordType == Self.type(of: kind).rawValue else { throw .unreadable }
        let type = try fields.text(kind.isActivity ? "activityType" : "intentClass") ?? ""
        var row = Donation(
            kind, identifier: try fields.text("identifier") ?? "", type: type, at: donated)
        row.begin = begin
        row.end = end
        row.expiration = try fields.time("expires")
        row.group = try fields.text("group")?.orNil
        row.persistentIdentifier = try fields.text("pid")?.orNil
        row.relatedIdentifier = try fields.text("related")?.orNil
        row.title = try fields.text("title")
        guard let payload = try fields.bytes("payload"), row.setExchangePayload(payload) else {
            throw .unreadable
        }
        row.suggestedInvocationPhrase = try fields.text("phrase")
        if kind.hasOwnName, row.identifier.isEmpty { throw .unreadable }
        donation = row
        device = try fields.required("device")
        guard ExchangeNames.isDevice(device) else { throw .unreadable }
        context = try fields.context("context")
        savedName = try fields.reference("savedActivity")
    }

    // MARK: Writing

    /// The fields of the row's record.
    ///
    /// - Parameter item: The record of the item that an activity is strongly related to, when
    ///   items are synced and it has one.
    package func fields(_ keys: ExchangeKeys, item: String?) throws(SyncRefusal) -> [String: Field?]
    {
        let row = donation
        let payload = row.exchangePayload
        guard payload.count <= ExchangeFields.payloadBytesMax else { throw .needsAsset }
        var digests = ExchangeRowKeys(row, keys)
        var fields: [String: Field?] = [
            "kind": Field(.int64(Int64(Self.kinds.firstIndex(of: row.kind) ?? 0))),
            "donor": Field(.int64(0)), "at": Field(.timestamp(row.begin)),
            "until": Field(.timestamp(row.end)), "donated": Field(.timestamp(row.donatedAt)),
            "expires": row.expiration.map { Field(.timestamp($0)) },
            "device": Field(.string(device)), "context": Field(.bytes(context.encoded)),
            "payload": Field(.bytes(payload), isEncrypted: true),
            "zoneMark": Field(.string(keys(.incarnation))),
            "savedActivity": savedName.map { Field(.reference(Record.Reference($0))) },
            "item": item.map { Field(.reference(Record.Reference($0, action: .deleteSelf))) },
        ]
        for name in ["direction", "status"] {
            fields[name] = .some(row.numbers[name].map { Field(.int64($0)) })
        }
        for (name, part) in row.kind.exchangeKeys {
            fields[name] = .some(digests.key(part).map { Field(.string($0)) })
        }
        let lists = [
            ("domainKeys", row.domain.map(keys.domains) ?? []),
            ("linkKeys", row.link.map(keys.links) ?? []),
        ]
        for (name, list) in lists {
            guard list.count <= 64 else { throw .tooLarge }
            fields[name] = .some(
                list.isEmpty ? nil : Field(.list(.string, list.map { .string($0) })))
        }
        let texts = [
            ("identifier", row.identifier.orNil), ("group", row.group),
            ("pid", row.persistentIdentifier), ("related", row.relatedIdentifier),
            ("title", row.title), ("phrase", row.suggestedInvocationPhrase),
            (row.kind.isActivity ? "activityType" : "intentClass", row.type.orNil),
        ]
        var size = payload.count
        for (name, text) in texts {
            size += text?.utf8.count ?? 0
            guard text?.utf8.count ?? 0 <= ExchangeFields.textBytesMax else { throw .tooLarge }
            fields[name] = .some(text.map { Field(.string($0), isEncrypted: true) })
        }
        guard size + context.count * 80 <= Self.recordBytesMax else { throw .tooLarge }
        return fields
    }

    // MARK: Names

    /// The name that the record must have; nil: any, for what the app gives no name.
    package func name(_ keys: ExchangeKeys) -> String? {
        let row = donation
        switch row.kind {
        case .interaction: return keys.name(.interactionName, Array(row.identifier.utf8))
        case .appIntent: return keys.name(.appIntentName, Array(row.identifier.utf8))
        case .searchableItem: return keys.name(.itemName, Array(row.identifier.utf8))
        case .savedActivity:
            return row.persistentIdentifier.map { keys.name(.savedName, Array($0.utf8)) }
        default: return nil
        }
    }

    /// The name of a row that has none by itself: made from where and when it was stored, so that
    /// a restored device gives it again and no other row gets it.
    func ownName(_ keys: ExchangeKeys, origin: String) -> String {
        let row = donation
        if row.kind == .savedActivity, let key = row.savedKey {
            return Self.savedName(key, keys, origin: origin)
        }
        return keys.name(
            .eventName, Array(origin.utf8), Array("\(row.row) \(row.donatedAt.milliseconds)".utf8),
            Array("\(row.begin.milliseconds) \(row.type)".utf8))
    }

    /// The name of the record of a saved activity, from the key of its events.
    static func savedName(_ key: String, _ keys: ExchangeKeys, origin: String) -> String {
        if key.hasPrefix("p:") { return keys.name(.savedName, Array(key.utf8.dropFirst(2))) }
        if key.hasPrefix("r:"), ExchangeNames.isRow(String(key.dropFirst(2))) {
            return String(key.dropFirst(2))
        }
        return keys.name(.privateSavedName, Array(origin.utf8), Array(key.utf8))
    }
}

extension DonationKind {
    var isActivity: Bool { self == .activity || self == .savedActivity }

    /// Whether the app gives each row of this kind a name of its own.
    var hasOwnName: Bool { self == .interaction || self == .searchableItem || self == .appIntent }

    /// The digests that a record of this kind carries, by field.
    fileprivate var exchangeKeys: [(String, DonationKey)] {
        let entity: [(String, DonationKey)] = [
            ("entityTypeKey", .entityType), ("entityKey", .entity),
        ]
        return switch self {
        case .interaction:
            [("identifierKey", .interaction), ("groupKey", .group), ("typeKey", .intentClass)]
        case .appIntent:
            [("identifierKey", .appIntent), ("typeKey", .intentClass)] + entity
        case .searchableItem: [("identifierKey", .item), ("indexKey", .index)] + entity
        default:
            [("pidKey", .persistentIdentifier), ("relatedKey", .item), ("typeKey", .activityType)]
        }
    }
}
