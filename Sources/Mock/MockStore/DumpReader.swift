import CloudModel
import CloudWire

/// Reads all that a user has, piece by piece, in the order of ``DumpLine``.
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

    /// The next lines, as ``DumpLine`` writes them; nil at the end.
    package func next(_ store: MockStore) throws(MockStoreError) -> [UInt8]? {
        try store.stored { () throws(CloudError) in
            if databases == nil {
                databases = try store.context.tables.databases.keys().filter { $0.user == user }
                    .reversed()
            }
            guard let key = databases?.last else { return nil }
            let database = try store.databases.state(key)
            var text: [UInt8] = []
            if lastZone == nil {
                let owner = key.user.isEmpty ? nil : key.user
                text += DumpLine.database(key.address, user: owner).text
                lastZone = ""
            }
            if zones.isEmpty {
                zones = try store.context.tables.zones.live(
                    in: database.id, afterName: lastZone ?? "", limit: Self.rowsMax)[...]
                if let zone = zones.first { text += DumpLine.zone(zone.name).text }
            }
            if let zone = zones.first {
                try addRecords(of: store.shares.reached(zone, in: database), store, &text)
                return text
            }
            for (user, subscription) in try store.context.tables.subscriptions.all(
                in: database.id)
            {
                text += DumpLine.subscription(subscription, userRecordName: user).text
            }
            databases?.removeLast()
            lastZone = nil
            return text
        }
    }

    private func addRecords(
        of zone: ZoneRow, _ store: MockStore, _ text: inout [UInt8]
    ) throws(CloudError) {
        let names = try store.context.tables.records.names(
            in: zone.incarnation, after: lastRecord ?? "", limit: Self.rowsMax)
        for (name, seq) in names {
            lastRecord = name
            guard
                let record = try store.context.tables.records.entry(at: seq, in: zone.incarnation)?
                    .record, try store.shares.shows(name, in: zone)
            else {
                continue
            }
            text += DumpLine.record(record.record(in: RecordZone.ID(zone.name), keys: nil)).text
            if text.count > Self.bytesMax { return }
        }
        guard names.count < Self.rowsMax else { return }
        lastRecord = nil
        lastZone = zone.name
        zones.removeFirst()
        if let next = zones.first { text += DumpLine.zone(next.name).text }
    }
}
