import CloudModel
import CloudWire
import JSON

/// Reads all that a user has, piece by piece, as lines of text that are equal when the data are:
/// databases by their address, in each its zones and in each zone its records by name, and the
/// subscriptions. A field is written as in answers.
///
/// Each piece is of the time when it is read.
package final class DumpReader {
    private static let rowsMax = 200
    private static let bytesMax = 64 << 10

    private let user: String
    /// What is left, the next at the end.
    private var databases: [DatabaseKey]?
    private var zones: ArraySlice<ZoneRow> = []
    private var lastZone: String?
    private var lastRecord: String?

    /// - Parameter user: nil: the public databases.
    package init(user: String?) { self.user = user ?? "" }

    /// The next lines; nil at the end.
    package func next(_ store: MockStore) throws(MockStoreError) -> String? {
        try store.stored { () throws(CloudError) in
            if databases == nil {
                databases = try store.tables.databaseKeys().filter { $0.user == user }.reversed()
            }
            guard let key = databases?.last else { return nil }
            let database = try store.database(key)
            var text = ""
            if lastZone == nil {
                text = "database \(key.address)\n"
                lastZone = ""
            }
            if zones.isEmpty {
                zones = try store.tables.liveZones(
                    in: database.id, afterName: lastZone ?? "", limit: Self.rowsMax)[...]
                if let zone = zones.first { text += "  zone \(zone.name)\n" }
            }
            if let zone = zones.first {
                try addRecords(of: zone, store, &text)
                return text
            }
            for (user, subscription) in try SubscriptionTable(tables: store.tables).all(
                in: database.id)
            {
                var json = JSONWriter()
                json.subscription(subscription)
                text += "  subscription \(user) \(json.text)\n"
            }
            databases?.removeLast()
            lastZone = nil
            return text
        }
    }

    private func addRecords(
        of zone: ZoneRow, _ store: MockStore, _ text: inout String
    ) throws(CloudError) {
        let names = try store.tables.names(
            in: zone.incarnation, after: lastRecord ?? "", limit: Self.rowsMax)
        for (name, seq) in names {
            lastRecord = name
            guard let record = try store.tables.entry(at: seq, in: zone.incarnation)?.record else {
                continue
            }
            text += "    " + Self.line(record) + "\n"
            if text.utf8.count > Self.bytesMax { return }
        }
        guard names.count < Self.rowsMax else { return }
        lastRecord = nil
        lastZone = zone.name
        zones.removeFirst()
        if let next = zones.first { text += "  zone \(next.name)\n" }
    }

    private static func line(_ record: StoredRecord) -> String {
        var json = JSONWriter()
        json.beginObject()
        for (name, field) in record.fields.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.field(field.value, isTyped: true, isEncrypted: field.isEncrypted)
        }
        json.endObject()
        return "record \(record.name) \(record.type) tag \(record.tagText)"
            + " by \(record.created.userRecordName) at"
            + " \(record.created.timestamp.milliseconds),"
            + " \(record.modified.timestamp.milliseconds)"
            + (record.parent.map { " parent \($0)" } ?? "") + " \(json.text)"
    }
}

extension MockStore {
    /// All that a user has at once; see ``DumpReader``.
    package func dump(user: String?) throws(MockStoreError) -> String {
        let reader = DumpReader(user: user)
        var text = ""
        while let piece = try reader.next(self) { text += piece }
        return text
    }
}
