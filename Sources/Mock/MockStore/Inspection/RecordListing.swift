package import Basics
package import CloudModel

/// A line about a record, live or deleted.
package struct RecordFacts {
    package let name: String
    /// nil: deleted in a store from before tombstones told it.
    package var type: String?
    package let tag: String
    /// Its place in the zone's feed.
    package let place: Int64
    /// Of its row.
    package let bytes: Int
    package var created: Record.Stamp?
    package var modified: Record.Stamp?
    /// Who deleted it, and when.
    package var deleted: Record.Stamp?
    package let isLive: Bool
    package var parent: String?
    /// The share record, where it is the root of one.
    package var share: String?

    init(_ entry: FeedEntry) {
        name = entry.name
        tag = StoredRecord.tagText(entry.tag)
        place = entry.seq
        bytes = entry.bytes
        isLive = entry.record != nil
        if let record = entry.record {
            (type, created, modified) = (record.type, record.created, record.modified)
            (parent, share) = (record.parent, record.share)
        } else if let tombstone = MockTombstone(entry) {
            (type, created) = (tombstone.recordType, tombstone.created)
            deleted = tombstone.deleted
        }
    }
}

/// Lists the records of a zone by name, a page at a time.
///
/// A page may be short, or empty, and have more to come: it ends with as many names or bytes looked at
/// as one request may cost.
package final class RecordListing: StoreJob {
    package var isReadOnly: Bool { true }

    /// Whether deleted records are listed.
    package enum Deleted: String, CaseIterable {
        case no, also, only
    }

    /// What is listed.
    package struct Request {
        /// Only names after this one.
        package var after = ""
        package var limit = 200
        package var name: Glob?
        package var type: String?
        package var deleted = Deleted.no

        package init() {}
    }

    /// Records of one page.
    package static let limitMax = 500
    private static let namesMax = 50_000
    private static let bytesMax = 1 << 20
    private static let stepNames = 100

    private let zone: ZoneRow
    private let request: Request
    private var namesLookedAt = 0
    private var bytesLookedAt = 0
    package private(set) var records: [RecordFacts] = []
    /// Where the next page begins; nil at the end.
    package private(set) var next: String?

    /// - Parameter zone: As the user reaches it.
    package init(_ zone: ZoneRow, _ request: Request) {
        self.zone = zone
        self.request = request
        next = request.after
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try store.slice { () throws(CloudError) in try step(store) }
    }

    /// - Returns: Whether the page is to have more.
    private func step(_ store: MockStore) throws(CloudError) -> Bool {
        guard let last = next else { return false }
        let table = store.context.tables.records
        let names = try table.names(in: zone.incarnation, after: last, limit: Self.stepNames)
        for (name, seq) in names {
            next = name
            namesLookedAt += 1
            if request.name?.matches(name) ?? true,
                let entry = try table.entry(at: seq, in: zone.incarnation)
            {
                bytesLookedAt += entry.bytes
                if try isWanted(entry, store) { records.append(RecordFacts(entry)) }
            }
            if isFull { return false }
        }
        guard names.count < Self.stepNames else { return true }
        next = nil
        return false
    }

    private var isFull: Bool {
        records.count >= request.limit || namesLookedAt >= Self.namesMax
            || bytesLookedAt >= Self.bytesMax
    }

    private func isWanted(_ entry: FeedEntry, _ store: MockStore) throws(CloudError) -> Bool {
        let isLive = entry.record != nil
        switch request.deleted {
        case .no: if !isLive { return false }
        case .only: if isLive { return false }
        case .also: break
        }
        if let type = request.type {
            guard type == entry.record?.type ?? MockTombstone(entry)?.recordType else {
                return false
            }
        }
        // What is left of a deleted record does not say whether a participant ever saw it.
        guard zone.access.partialView == nil || isLive else { return false }
        return try store.shares.shows(entry.name, in: zone)
    }
}
