import CloudModel
import JSON
import SQLite

/// A column with a whole value in the store's own row format, which archives have as JSON.
enum ArchiveRow: Sendable {
    /// A live record, or what is left of a deleted one; after the columns zone, name, seq, type, tag.
    case record
    case subscription

    private func record(_ row: [Value]) -> (name: String, type: String?, seq: Int64, tag: Int64)? {
        guard row.count >= 5, let name = row[1].string, let seq = row[2].int64,
            let tag = row[4].int64
        else { return nil }
        return (name, row[3].string, seq, tag)
    }

    /// What an archive has of a row; nil when it is damaged.
    func json(_ bytes: [UInt8], _ row: [Value]) -> [UInt8]? {
        let tree = RowTree()
        switch self {
        case .record:
            guard let (name, type, seq, tag) = record(row) else { return nil }
            guard let type else {
                // Stores from before said nothing of it.
                guard !bytes.isEmpty else { return Array("null".utf8) }
                var (reader, writer) = (RowCoder(reading: bytes), RowCoder(writing: tree))
                guard MockTombstone.recode(from: &reader, to: &writer) else { return nil }
                return tree.written
            }
            guard
                let record = StoredRecord(name: name, type: type, seq: seq, tag: tag, body: bytes)
            else { return nil }
            record.write(to: tree)
        case .subscription:
            var (reader, writer) = (RowCoder(reading: bytes), RowCoder(writing: tree))
            var subscription = Subscription(subscriptionID: "", kind: .query)
            reader.subscription(&subscription)
            guard reader.isAtEnd else { return nil }
            writer.subscription(&subscription)
        }
        return tree.written
    }

    /// The row that an archive tells of.
    func bytes(_ json: JSONValue, _ row: [Value]) throws(ArchiveError) -> [UInt8] {
        let tree = RowTree(reading: json)
        switch self {
        case .record:
            guard let (name, type, seq, tag) = record(row) else {
                throw ArchiveError(json, "there is no such record")
            }
            if let type {
                guard
                    let record = StoredRecord(
                        name: name, type: type, seq: seq, tag: tag, tree: tree)
                else { throw refusal(tree, json, "a record") }
                return record.body
            }
            if json.isNull { return [] }
            var (reader, writer) = (RowCoder(reading: tree), RowCoder())
            guard MockTombstone.recode(from: &reader, to: &writer) else {
                throw refusal(tree, json, "a deleted record")
            }
            return writer.bytes
        case .subscription:
            var (reader, writer) = (RowCoder(reading: tree), RowCoder())
            var subscription = Subscription(subscriptionID: "", kind: .query)
            reader.subscription(&subscription)
            guard reader.isAtEnd else { throw refusal(tree, json, "a subscription") }
            writer.subscription(&subscription)
            return writer.bytes
        }
    }

    private func refusal(_ tree: RowTree, _ json: JSONValue, _ what: String) -> ArchiveError {
        ArchiveError(tree.latest ?? json, "this part of \(what) is invalid")
    }
}
