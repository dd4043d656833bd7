import CloudModel
import DeletionPlanning
import Journal

/// Counts the records of custom zones where the list caps records: what goes with its zone counts like
/// what is named.
///
/// A zone that cannot be counted is one that could not be looked at.
struct ZoneCensus: Sendable {
    /// Zones in one request: full pages of so many are about two megabytes.
    private static let zonesMax = 20

    let look: PlaceLook

    /// Counts in the zones that this look has seen and nobody counted.
    func countAll() async throws(SweepFailure) -> Finding {
        guard look.look != .verification, look.request.policy.caps.countsRecords else {
            return .complete
        }
        var finding = Finding.complete
        var batch: [SeenRow] = []
        try await look.eachSeen(.zone) { (zone) async throws(SweepFailure) in
            guard isWanted(zone) else { return }
            batch.append(zone)
            guard batch.count == Self.zonesMax else { return }
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
            try await NameBatches.each(of: zones.map(\.zone), most: Self.zonesMax) {
                (names) async throws(SweepFailure) in
                let counts = try await records(in: names)
                var changes: [JournalChange] = []
                for var zone in zones {
                    guard let count = counts[zone.zone] else { continue }
                    var facts = ZoneFacts(detail: zone.detail)
                    facts.records = count
                    zone.detail = facts.detail
                    changes.append(.detail(look.look, zone))
                }
                try await look.journal.remember(changes, run: look.run)
            }
            return .complete
        } catch {
            return try look.unread(.customZones, "records of zones", error)
        }
    }

    /// Reads the feeds of all these zones side by side, a page of each in one request.
    private func records(in names: [String]) async throws(SweepFailure) -> [String: Int] {
        var counts: [String: Int] = [:]
        var open = names.map {
            OpenFeed(zone: $0, guardian: LoopGuard(pagesMax: look.request.limits.pagesMax))
        }
        while !open.isEmpty {
            let command = CloudRead.zoneChanges(open.map(request))
            guard case .zoneChanges(let items) = try await look.read(command),
                items.count == open.count
            else { throw .refused(.wrongReply(to: command)) }
            var rest: [OpenFeed] = []
            for (item, var feed) in zip(items, open) {
                let page = try ZoneFeed.page(of: item)
                counts[feed.zone, default: 0] += page.records.count
                guard let next = page.listing.next else { continue }
                try feed.advance(to: next, isEmpty: page.listing.isEmpty)
                rest.append(feed)
            }
            open = rest
        }
        return counts
    }

    private func request(_ feed: OpenFeed) -> ZoneChangesRequest {
        ZoneChangesRequest(
            zoneID: look.own(RecordZone.ID(feed.zone)),
            token: feed.position.map { ChangeToken($0) }, limit: 200, desiredKeys: [])
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
