import CloudModel
import DeletionPlanning
import Journal

/// Reads the custom zones that this look has seen for assets, where the container's schema has any, and counts
/// their records. The first pages of many zones come in one request: most zones are small.
struct ZoneAssets: Sendable {
    /// Zones in one request.
    private static let zonesMax = 50

    let look: PlaceLook
    let fields: AssetFields

    /// nil where there is nothing to read: no asset is known of, or the look is one that only counts.
    init?(look: PlaceLook) {
        guard look.look != .verification, let fields = look.target.assetFields, !fields.isEmpty
        else { return nil }
        (self.look, self.fields) = (look, fields)
    }

    /// Notes the assets of every zone that no rule keeps as a whole.
    func noteAll() async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        var batch: [SeenRow] = []
        try await look.eachSeen(.zone) { (row) async throws(SweepFailure) in
            guard look.request.policy.ruleKeepingZone(row.zone, in: look.container) == nil else {
                return
            }
            batch.append(row)
            guard batch.count == Self.zonesMax else { return }
            finding.add(try await note(batch))
            batch = []
        }
        if !batch.isEmpty { finding.add(try await note(batch)) }
        return finding
    }

    /// Notes the assets of some zones; one that cannot be read stops the sweep.
    private func note(_ zones: [SeenRow]) async throws(SweepFailure) -> Finding {
        var rest: [SeenRow] = []
        do throws(SweepFailure) {
            rest = try await firstPages(of: zones)
        } catch {
            // One zone may have refused for all.
            guard case .refused = error, zones.count > 1 else {
                return try look.unread(.customZones, zones.first?.zone, error)
            }
            rest = zones
        }
        var finding = Finding.complete
        for zone in rest {
            do throws(SweepFailure) {
                try await noteAll(in: zone)
            } catch {
                finding.add(try look.unread(.customZones, zone.zone, error))
            }
        }
        return finding
    }

    /// Notes what the first pages tell.
    ///
    /// - Returns: the zones with more than a page, or with a type that the schema does not know.
    private func firstPages(of zones: [SeenRow]) async throws(SweepFailure) -> [SeenRow] {
        let command = CloudRead.zoneChanges(
            zones.map {
                ZoneChangesRequest(
                    zoneID: look.own(RecordZone.ID($0.zone)), limit: 200,
                    desiredKeys: fields.allKeys)
            })
        guard case .zoneChanges(let items) = try await look.read(command),
            items.count == zones.count
        else { throw .refused(.wrongReply(to: command)) }
        var rest: [SeenRow] = []
        var counts: [(zone: SeenRow, records: Int)] = []
        for (zone, item) in zip(zones, items) {
            switch item {
            case .failure(_, let error) where error.code == .zoneNotFound: continue
            case .failure(_, let error): throw .refused(error)
            case .page(let changes):
                let records = try ZoneFeed.records(of: changes)
                if changes.moreComing || records.contains(where: isUnknown) {
                    rest.append(zone)
                } else {
                    try await look.noteAssets(of: records, in: zone.zone)
                    counts.append((zone, records.count))
                }
            }
        }
        try await look.note(recordCounts: counts)
        return rest
    }

    private func noteAll(in zone: SeenRow) async throws(SweepFailure) {
        var meetsUnknown = false
        var count = 0
        for keys in [fields.allKeys, nil] {
            let feed = ZoneFeed(zone: look.own(RecordZone.ID(zone.zone)), desiredKeys: keys)
            try await look.eachRecordPage(of: feed) {
                (records, isFirst) async throws(SweepFailure) in
                count = (isFirst ? 0 : count) + records.count
                meetsUnknown = meetsUnknown || records.contains(where: isUnknown)
                try await look.noteAssets(of: records, in: zone.zone)
            }
            // Of a type that the schema does not know, any field may hold an asset.
            if !meetsUnknown { break }
        }
        try await look.note(recordCounts: [(zone, count)])
    }

    private func isUnknown(_ record: Record) -> Bool {
        record.recordType != Share.recordType && fields.keys(of: record.recordType) == nil
    }
}
