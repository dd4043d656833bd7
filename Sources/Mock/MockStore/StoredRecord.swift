import CloudModel

/// A live record as it lies in a row: everything but its zone.
struct StoredRecord: Hashable {
    let name: String
    let type: String
    /// Its place in the zone's feed.
    var seq: Int64
    /// The number behind the change tag.
    var tag: Int64
    var created: Record.Stamp
    var modified: Record.Stamp
    var parent: String?
    var fields: [String: Field]
    /// Of a shared root, the share record's name.
    var share: String?
    /// What it can be found by.
    var shortGUID: String?
    /// Of a share record, what it says beside its fields.
    var sharing: StoredShare?

    /// The change tag's text: base 36, as the service's look.
    static func tagText(_ tag: Int64) -> String { String(tag, radix: 36) }
    var tagText: String { Self.tagText(tag) }

    /// The record as it is answered.
    ///
    /// - Parameters:
    ///   - keys: The fields wanted; nil for all.
    ///   - downloads: Gives assets their addresses; nil: they have none.
    ///   - caller: Whose part in a share is told.
    func record(
        in zoneID: RecordZone.ID, keys: Set<String>?, _ downloads: AssetDownloads? = nil,
        for caller: String = ""
    ) -> Record {
        var shown = keys.map { keys in fields.filter { keys.contains($0.key) } } ?? fields
        for (name, field) in shown {
            shown[name]?.value = Self.complete(field.value, zoneID)
            if let downloads, field.value.kind == .asset {
                shown[name]?.value = downloads.complete(
                    field.value, AssetField(self.name, name))
            }
        }
        var record = Record(
            id: Record.ID(name, zoneID: zoneID), recordType: type, recordChangeTag: tagText,
            fields: shown, created: created, modified: modified,
            parent: parent.map { Record.Reference($0, zoneID: zoneID) },
            share: share.map { Record.Reference($0, zoneID: zoneID) })
        record.shortGUID = shortGUID
        record.sharing = sharing?.shown(to: caller)
        return record
    }

    /// References are answered with their zone, which is always the record's own.
    private static func complete(
        _ value: FieldValue, _ zoneID: RecordZone.ID
    ) -> FieldValue {
        switch value {
        case .reference(let target):
            .reference(
                Record.Reference(target.recordName, zoneID: zoneID, action: target.action))
        case .list(.reference, let elements):
            .list(.reference, elements.map { complete($0, zoneID) })
        default: value
        }
    }

    init(
        name: String, type: String, seq: Int64, tag: Int64, created: Record.Stamp,
        modified: Record.Stamp, parent: String? = nil, fields: [String: Field] = [:]
    ) {
        self.name = name
        self.type = type
        self.seq = seq
        self.tag = tag
        self.created = created
        self.modified = modified
        self.parent = parent
        self.fields = fields
    }

    // MARK: - As bytes

    /// The part of a row that is not looked for: stamps, parent and fields.
    var body: [UInt8] {
        var (written, coder) = (self, RowCoder())
        written.code(&coder)
        return coder.bytes
    }

    /// Reads a row; nil when it is damaged.
    init?(name: String, type: String, seq: Int64, tag: Int64, body: [UInt8]) {
        self.init(name: name, type: type, seq: seq, tag: tag, created: .empty, modified: .empty)
        var coder = RowCoder(reading: body)
        code(&coder)
        guard coder.isAtEnd else { return nil }
    }

    /// How a field's value lies in a row: as it is; as it is although encrypted, in stores of
    /// format 1; masked; masked, of an encrypted type.
    private static let (plain, unmasked, masked, maskedByType): (UInt8, UInt8, UInt8, UInt8) =
        (0, 1, 2, 3)

    private mutating func code(_ coder: inout RowCoder) {
        var version: UInt8 = share == nil && shortGUID == nil && sharing == nil ? 1 : 2
        coder.byte(&version)
        if version != 1, version != 2 { coder.fail() }
        coder.stamp(&created)
        var hasChanged = modified != created
        coder.flag(&hasChanged)
        if hasChanged { coder.stamp(&modified) } else { modified = created }
        coder.optionalString(&parent)
        var mask = ByteMask(name: name, tag: tag)
        var list = fields.sorted { $0.key < $1.key }.map { (name: $0.key, field: $0.value) }
        coder.list(&list, (name: "", field: Field(.int64(0)))) { coder, item in
            coder.string(&item.name)
            var form = item.field.isEncrypted ? Self.masked : Self.plain
            if item.field.isEncryptedByType { form = Self.maskedByType }
            coder.byte(&form)
            item.field.isEncrypted = form != Self.plain
            item.field.isEncryptedByType = form == Self.maskedByType
            switch form {
            case Self.masked, Self.maskedByType:
                coder.masked({ mask($0) }) { $0.value(&item.field.value) }
            case Self.plain, Self.unmasked: coder.value(&item.field.value)
            default: coder.fail()
            }
        }
        if version == 2 {
            coder.optionalString(&share)
            coder.optionalString(&shortGUID)
            coder.optional(&sharing, .empty) { $1.code(&$0) }
        }
        if coder.isReading {
            fields = Dictionary(list.map { ($0.name, $0.field) }, uniquingKeysWith: { $1 })
        }
    }

    /// The records this one points to in a way the service looks after.
    var links: Set<Link> {
        var links: Set<Link> = []
        if let parent { links.insert(Link(target: parent, kind: .parent)) }
        for field in fields.values {
            switch field.value {
            case .reference(let target): Self.note(target, in: &links)
            case .list(.reference, let elements):
                for case .reference(let target) in elements { Self.note(target, in: &links) }
            default: break
            }
        }
        return links
    }

    private static func note(_ target: Record.Reference, in links: inout Set<Link>) {
        switch target.action {
        case .none: break
        case .deleteSelf: links.insert(Link(target: target.recordName, kind: .deleteSelf))
        case .validate: links.insert(Link(target: target.recordName, kind: .validate))
        }
    }
}
