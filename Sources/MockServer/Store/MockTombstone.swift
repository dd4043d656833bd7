package import CloudModel

/// What is left of a deleted record.
package struct MockTombstone: Sendable, Hashable {
    package let recordName: String
    package let recordType: String
    package let recordChangeTag: String
    /// Who had made the record, when, and on which device.
    package let created: Record.Stamp
    /// Who deleted it, when, and on which device.
    package let deleted: Record.Stamp

    /// Reads a row; nil when it is of a live record, or of a store from before rows said this.
    init?(_ entry: FeedEntry) {
        var reader = ByteReader(entry.remains)
        guard entry.record == nil, reader.byte() == 1 else { return nil }
        recordName = entry.name
        recordType = reader.string()
        recordChangeTag = StoredRecord.tagText(entry.tag)
        created = reader.stamp()
        deleted = reader.stamp()
        guard reader.isAtEnd else { return nil }
    }

    /// The part of a row that the feed does not tell.
    static func remains(of record: StoredRecord, deleted: Record.Stamp) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(1)
        writer.string(record.type)
        writer.stamp(record.created)
        writer.stamp(deleted)
        return writer.bytes
    }
}
