import CloudModel
import Journal

/// Reads the two feeds that tell of a database's zones; neither is trusted to be complete.
struct ZoneListing: Sendable {
    /// The feeds, by what is asked.
    enum Feed: Sendable, CaseIterable {
        case zonesList
        case databaseChanges

        func command(_ position: String?) -> CloudRead {
            let token = position.map { ChangeToken($0) }
            return switch self {
            case .zonesList: .listZones(token: token)
            case .databaseChanges: .databaseChanges(token: token, limit: nil)
            }
        }
    }

    let look: PlaceLook
    let kind: CoverageRow.Kind
    /// The row of a zone; nil leaves it alone.
    let row: @Sendable (RecordZone.ID) -> SeenRow?

    /// Notes every zone that either feed shows.
    func all() async throws(SweepFailure) -> Finding {
        async let listed = attempt { () async throws(SweepFailure) in try await read(.zonesList) }
        async let changed = attempt { () async throws(SweepFailure) in
            try await read(.databaseChanges)
        }
        var finding = try await listed.get()
        finding.add(try await changed.get())
        return finding
    }

    private func read(_ feed: Feed) async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        do throws(SweepFailure) {
            try await look.eachPage { (position) async throws(SweepFailure) in
                let command = feed.command(position)
                guard case .zonePage(let page) = try await look.read(command) else {
                    throw .refused(.wrongReply(to: command))
                }
                var next: String?
                if page.moreComing {
                    guard let token = page.token else {
                        throw .refused(
                            CloudError(
                                .unexpectedResponse,
                                reason: "more pages follow, but the page does not say where"))
                    }
                    next = token.rawValue
                }
                // The other feed shows the same zones, but for few; this is the one that counts.
                return ListingPage(
                    next: next, isEmpty: page.zones.isEmpty, rows: try rows(page, &finding),
                    isNews: feed == .zonesList)
            }
            return finding
        } catch {
            return try look.unread(kind, nil, error)
        }
    }

    private func rows(
        _ page: ZonePage, _ finding: inout Finding
    ) throws(SweepFailure) -> [SeenRow] {
        var rows: [SeenRow] = []
        rows.reserveCapacity(page.zones.count)
        for item in page.zones {
            switch item {
            case .zone(let zone):
                let name = zone.id.zoneName
                if zone.id.isDefault { continue }
                if kind == .customZones, name.hasPrefix("_") {
                    let remark = look.remark(
                        kind, .notInScope,
                        "zones with names that begin with _ belong to the system",
                        subject: name)
                    if !finding.remarks.contains(remark) { finding.remarks.append(remark) }
                    continue
                }
                if let row = row(zone.id) { rows.append(row) }
            // The feed of changes tells of zones that were deleted. One that it cannot tell of is
            // not among them, whatever the code: a feed that was read has no errors in it.
            case .deleted: continue
            case .failure(_, let error): throw .refused(error)
            }
        }
        return rows
    }
}
