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

    /// The change tag's text: base 36, as the service's look.
    static func tagText(_ tag: Int64) -> String { String(tag, radix: 36) }
    var tagText: String { Self.tagText(tag) }

    /// The record as it is answered.
    ///
    /// - Parameter keys: The fields wanted; nil for all.
    func record(in zoneID: RecordZone.ID, keys: Set<String>?) -> Record {
        var shown = keys.map { keys in fields.filter { keys.contains($0.key) } } ?? fields
        for (name, field) in shown {
            shown[name]?.value = Self.complete(field.value, zoneID)
        }
        return Record(
            id: Record.ID(name, zoneID: zoneID), recordType: type, recordChangeTag: tagText,
            fields: shown, created: created, modified: modified,
            parent: parent.map { Record.Reference($0, zoneID: zoneID) })
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

    /// The part of a row that is not looked for: stamps, parent and fields.
    var body: [UInt8] {
        var writer = ByteWriter()
        writer.byte(1)
        writer.stamp(created)
        if modified == created {
            writer.byte(0)
        } else {
            writer.byte(1)
            writer.stamp(modified)
        }
        writer.optional(parent) { $0.string($1) }
        writer.varint(UInt64(fields.count))
        var mask = FieldMask(name: name, tag: tag)
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            writer.string(name)
            if field.isEncrypted {
                writer.byte(Self.masked)
                var hidden = ByteWriter()
                hidden.value(field.value)
                writer.blob(mask(hidden.bytes))
            } else {
                writer.byte(Self.plain)
                writer.value(field.value)
            }
        }
        return writer.bytes
    }

    /// How a field's value lies in a row: as it is; as it is although encrypted, in stores of
    /// format 1; masked.
    private static let (plain, unmasked, masked): (UInt8, UInt8, UInt8) = (0, 1, 2)

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

    /// Reads a row; nil when it is damaged.
    init?(name: String, type: String, seq: Int64, tag: Int64, body: [UInt8]) {
        var reader = ByteReader(body)
        guard reader.byte() == 1 else { return nil }
        let created = reader.stamp()
        let modified = reader.byte() == 0 ? created : reader.stamp()
        let parent = reader.optional { $0.string() }
        let count = reader.varint()
        var fields: [String: Field] = [:]
        var index: UInt64 = 0
        var mask = FieldMask(name: name, tag: tag)
        while index < count, reader.isIntact {
            let field = reader.string()
            switch reader.byte() {
            case Self.masked:
                var hidden = ByteReader(mask(reader.blob()))
                fields[field] = Field(hidden.value(), isEncrypted: true)
                guard hidden.isAtEnd else { return nil }
            case Self.unmasked: fields[field] = Field(reader.value(), isEncrypted: true)
            case Self.plain: fields[field] = Field(reader.value())
            default: return nil
            }
            index += 1
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            name: name, type: type, seq: seq, tag: tag, created: created, modified: modified,
            parent: parent, fields: fields)
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

extension ByteWriter {
    mutating func stamp(_ stamp: Record.Stamp) {
        signed(stamp.timestamp.milliseconds)
        string(stamp.userRecordName)
        string(stamp.deviceID)
    }
}

extension ByteReader {
    mutating func stamp() -> Record.Stamp {
        let moment = Timestamp(milliseconds: signed())
        let user = string()
        return Record.Stamp(timestamp: moment, userRecordName: user, deviceID: string())
    }
}
