import CloudModel
import DeletionPlanning
import Journal

/// Counts the records of custom zones, for the plan and for caps: what goes with its zone counts like what is
/// named.
///
/// A zone that cannot be counted is one that could not be looked at.
struct ZoneCensus: Sendable {
    /// How many zones' first pages go in one request, and the length of such a page. Most zones fit in one.
    private static let firstPages = (zones: 200, records: 20)
    /// The same for further pages: so many full ones are about two megabytes.
    private static let nextPages = (zones: 20, records: 200)

    let look: PlaceLook

    /// Counts in the zones that this look has seen and nobody counted.
    func countAll() async throws(SweepFailure) -> Finding {
        let request = look.request
        guard look.look != .verification,
            request.countsZoneRecords || request.policy.caps.countsRecords
        else { return .complete }
        var finding = Finding.complete
        var batch: [SeenRow] = []
        try await look.eachSeen(.zone) { (zone) async throws(SweepFailure) in
            guard isWanted(zone) else { return }
            batch.append(zone)
            guard batch.count == Self.firstPages.zones else { return }
            finding.add(try await count(batch))
            batch = []
        }
        finding.add(try await count(batch))
        return finding
    }

    private func isWanted(_ zone: SeenRow) -> Bool {
        let facts = ZoneFacts(detail: zone.detail)
        guard facts.records == nil, facts.contents != .holdsKept else { return false }
        let policy = look.request.policy
        return policy.caps.countsKeptRecords
            || policy.ruleKeepingZone(zone.zone, in: look.container) == nil
    }

    private func count(_ zones: [SeenRow]) async throws(SweepFailure) -> Finding {
        do throws(SweepFailure) {
            try await NameBatches.each(of: zones.map(\.zone), most: Self.firstPages.zones) {
                (names) async throws(SweepFailure) in
                let counts = try await records(in: names)
                try await look.note(
                    recordCounts: zones.compactMap { zone in
                        counts[zone.zone].map { (zone, $0) }
                    })
            }
            return .complete
        } catch {
            return try look.unread(.customZones, "records of zones", error)
        }
    }

    /// Reads the feeds of all these zones to their ends.
    private func records(in names: [String]) async throws(SweepFailure) -> [String: Int] {
        var counts: [String: Int] = [:]
        var open = names.map {
            OpenFeed(zone: $0, guardian: LoopGuard(pagesMax: look.request.limits.pagesMax))
        }
        while !open.isEmpty {
            // Those that were begun come last.
            let isFirst = open[0].position == nil
            let pages = isFirst ? Self.firstPages : Self.nextPages
            let batch = open.prefix(pages.zones)
            open.removeFirst(batch.count)
            let command = CloudRead.zoneChanges(batch.map { request($0, records: pages.records) })
            guard case .zoneChanges(let items) = try await look.read(command),
                items.count == batch.count
            else { throw .refused(.wrongReply(to: command)) }
            for (item, var feed) in zip(items, batch) {
                let page = try ZoneFeed.page(of: item)
                counts[feed.zone, default: 0] += page.records.count
                guard let next = page.listing.next else { continue }
                try feed.advance(to: next, isEmpty: page.listing.isEmpty)
                open.append(feed)
            }
        }
        return counts
    }

    private func request(_ feed: OpenFeed, records: Int) -> ZoneChangesRequest {
        ZoneChangesRequest(
            zoneID: look.own(RecordZone.ID(feed.zone)),
            token: feed.position.map { ChangeToken($0) }, limit: records, desiredKeys: [])
    }

    /// A feed that was not read to its end yet.
    private struct OpenFeed {
        let zone: String
        var guardian: LoopGuard
        var position: String?

        mutating func advance(to next: String, isEmpty: Bool) throws(SweepFailure) {
            do throws(CloudError) {
                try guardian.next(next, isEmpty: isEmpty)
            } catch {
                throw .refused(error)
            }
            position = next
        }
    }
}
