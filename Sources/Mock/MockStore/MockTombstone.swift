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
        guard entry.record == nil else { return nil }
        var coder = RowCoder(reading: entry.remains)
        var (type, created, deleted) = ("", Record.Stamp.empty, Record.Stamp.empty)
        Self.code(&coder, &type, &created, &deleted)
        guard coder.isAtEnd else { return nil }
        recordName = entry.name
        recordType = type
        recordChangeTag = StoredRecord.tagText(entry.tag)
        self.created = created
        self.deleted = deleted
    }

    /// The part of a row that the feed does not tell.
    static func remains(of record: StoredRecord, deleted: Record.Stamp) -> [UInt8] {
        var coder = RowCoder()
        var (type, created, deleted) = (record.type, record.created, deleted)
        code(&coder, &type, &created, &deleted)
        return coder.bytes
    }

    private static func code(
        _ coder: inout RowCoder, _ type: inout String, _ created: inout Record.Stamp,
        _ deleted: inout Record.Stamp
    ) {
        coder.version(1)
        coder.string(&type)
        coder.stamp(&created)
        coder.stamp(&deleted)
    }
}
