import CloudModel
import DeletionPlanning
import Journal

/// The feed of changes of one zone, from the beginning: all the records that it holds.
struct ZoneFeed: Sendable {
    let zone: RecordZone.ID
    /// nil: all fields; empty: system fields only.
    let desiredKeys: [String]?

    /// One page of the feed.
    struct Page: Sendable {
        var records: [Record] = []
        var listing = ListingPage(next: nil, isEmpty: true)
    }

    /// Asks for the page after a position.
    ///
    /// - Parameters:
    ///   - position: nil: the beginning.
    ///   - read: Sends the request.
    /// - Returns: an empty last page where the zone is not there: it went while we looked.
    func page(
        after position: String?, _ read: (CloudRead) async throws(SweepFailure) -> CloudReply
    ) async throws(SweepFailure) -> Page {
        let command = CloudRead.zoneChanges([
            ZoneChangesRequest(
                zoneID: zone, token: position.map { ChangeToken($0) }, limit: 200,
                desiredKeys: desiredKeys)
        ])
        guard case .zoneChanges(let items) = try await read(command), items.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        return try Self.page(of: items[0])
    }

    /// One page of an answer about several zones.
    static func page(of item: ZoneChangesItem) throws(SweepFailure) -> Page {
        switch item {
        case .failure(_, let error) where error.code == .zoneNotFound: return Page()
        case .failure(_, let error): throw .refused(error)
        case .page(let changes):
            var page = Page(records: try Self.records(of: changes))
            page.listing = ListingPage(
                next: changes.moreComing ? changes.token.rawValue : nil,
                isEmpty: changes.records.isEmpty)
            return page
        }
    }

    /// The records that a page tells of, but for those that are deleted.
    static func records(of changes: ZoneChangesPage) throws(SweepFailure) -> [Record] {
        var records: [Record] = []
        for entry in changes.records {
            switch entry {
            case .record(let record): records.append(record)
            case .deleted: continue
            case .failure(_, let error): throw .refused(error)
            }
        }
        return records
    }
}

extension PlaceLook {
    /// Reads all records of a zone.
    ///
    /// - Parameter visit: Given page by page what is there, and whether this is the first page:
    ///   reading may begin twice.
    func eachRecordPage(
        of feed: ZoneFeed,
        _ visit: (_ records: [Record], _ isFirst: Bool) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        try await eachPage { (position) async throws(SweepFailure) in
            let page = try await feed.page(after: position) {
                (command) async throws(SweepFailure) in try await read(command)
            }
            try await visit(page.records, position == nil)
            return page.listing
        }
    }

    /// Visits the rows of one kind that this look has seen here, in order.
    func eachSeen(
        _ kind: ItemKind, _ visit: (SeenRow) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var last = row(kind)
        while true {
            let page: [SeenRow]
            do throws(JournalError) {
                page = try await journal.seen(run: run, in: look, after: last, limit: 100)
            } catch {
                throw .journal(error)
            }
            for row in page {
                guard row.container == index, row.scope == scope, row.kind == kind else { return }
                try await visit(row)
            }
            guard let end = page.last else { return }
            last = end
        }
    }

    /// Notes what a look into a zone found out about it as a whole.
    func note(_ facts: ZoneFacts, of zone: SeenRow) async throws(SweepFailure) {
        var looked = zone
        looked.detail = facts.detail
        try await journal.remember([.detail(look, looked)], run: run)
    }

    /// Notes how many records zones hold.
    func note(recordCounts counts: [(zone: SeenRow, records: Int)]) async throws(SweepFailure) {
        guard !counts.isEmpty else { return }
        let changes = counts.map { (zone, records) -> JournalChange in
            var (looked, facts) = (zone, ZoneFacts(detail: zone.detail))
            facts.records = records
            looked.detail = facts.detail
            return .detail(look, looked)
        }
        try await journal.remember(changes, run: run)
    }
}

extension WriteChannel {
    /// Reads all records of a zone just before it is changed, each page once.
    func eachRecordPage(
        of feed: ZoneFeed, _ visit: ([Record]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var guardian = LoopGuard(pagesMax: request.limits.pagesMax)
        var position: String?
        while true {
            let page = try await feed.page(after: position) {
                (command) async throws(SweepFailure) in try await look(command)
            }
            try await visit(page.records)
            guard let next = page.listing.next else { return }
            do throws(CloudError) {
                try guardian.next(next, isEmpty: page.listing.isEmpty)
            } catch {
                throw .refused(error)
            }
            position = next
        }
    }
}
