import CloudModel
import Evidence
import Journal

/// Looks closer at what a pass has left: which zones hold records, and which devices wrote them.
struct ReturnedLook: Sendable {
    let looking: LookStage
    let people: [Container.ID: UserIdentity]

    /// Records that are asked for the device that wrote them, database by database.
    private static let recordsMax = 100

    /// What was found out so far.
    private struct Tally {
        var zonesWithout: [Int: Int] = [:]
        var devices: Set<String> = []

        mutating func note(_ records: [Record]) {
            for record in records where devices.count < LookFacts.devicesMax {
                if !record.modified.deviceID.isEmpty { devices.insert(record.modified.deviceID) }
            }
        }
    }

    /// - Parameter left: What the last pass has left, row by row.
    func take(_ left: [RowKey: Int]) async throws(SweepFailure) -> Returned {
        var tally = Tally()
        for (index, target) in looking.request.targets.enumerated() {
            guard let person = people[target.container] else { continue }
            if left.keys.contains(where: { $0.container == index && $0.kind == .customZones }) {
                try await lookIntoZones(index, person, &tally)
            }
            for (scope, kind) in Self.withRecords
            where left[RowKey(container: index, scope: scope, kind: kind)] != nil {
                try await lookUpRecords(index, scope, person, &tally)
            }
        }
        let rows = left.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { key, count in
            let without =
                switch key.kind {
                case .customZones: tally.zonesWithout[key.container] ?? 0
                case .subscriptions: count
                case .defaultZone, .zoneRecords, .sharesGiven, .sharedZones, .sharedRecords,
                    .publicRecords, .userRecord, .assets, .donations, .otherEnvironment:
                    0
                }
            return Returned.Row(
                container: looking.request.targets[key.container].container, scope: key.scope,
                kind: key.kind, left: count, withoutData: min(without, count))
        }
        return Returned(rows: rows, devices: tally.devices.sorted())
    }

    private static let withRecords: [(Database.Scope, CoverageRow.Kind)] = [
        (.private, .defaultZone), (.public, .publicRecords),
    ]

    // MARK: Zones

    /// A zone that cannot be looked into counts as one with data.
    private func lookIntoZones(
        _ index: Int, _ person: UserIdentity, _ tally: inout Tally
    ) async throws(SweepFailure) {
        let look = looking.placeLook(index, .private, person)
        try await look.eachSeen(.zone) { (row) async throws(SweepFailure) in
            guard !row.isKept else { return }
            do throws(SweepFailure) {
                let records = try await firstRecords(of: row.zone, look)
                if records.isEmpty { tally.zonesWithout[index, default: 0] += 1 }
                tally.note(records)
            } catch {
                guard case .refused = error else { throw error }
            }
        }
    }

    /// The first page of a zone that has records; empty when none has.
    private func firstRecords(
        of zone: String, _ look: PlaceLook
    ) async throws(SweepFailure) -> [Record] {
        let feed = ZoneFeed(zone: look.own(RecordZone.ID(zone)), desiredKeys: [])
        var guardian = LoopGuard(pagesMax: look.request.limits.pagesMax)
        var position: String?
        while true {
            let page = try await feed.page(after: position) {
                (command) async throws(SweepFailure) in try await look.read(command)
            }
            guard page.records.isEmpty, let next = page.listing.next else { return page.records }
            do throws(CloudError) {
                try guardian.next(next, isEmpty: true)
            } catch {
                throw .refused(error)
            }
            position = next
        }
    }

    // MARK: Records

    /// Asks for the first records of a database, for the devices that wrote them. That they are there is
    /// known already: what is not answered here is not told.
    private func lookUpRecords(
        _ index: Int, _ scope: Database.Scope, _ person: UserIdentity, _ tally: inout Tally
    ) async throws(SweepFailure) {
        let look = looking.placeLook(index, scope, person)
        var names: [String] = []
        try await look.eachSeen(.record) { (row) async throws(SweepFailure) in
            if !row.isKept, names.count < Self.recordsMax { names.append(row.name) }
        }
        guard !names.isEmpty else { return }
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(
                recordNames: names, zoneID: look.own(RecordZone.ID.default), desiredKeys: []))
        do throws(SweepFailure) {
            guard case .records(let reply) = try await look.read(command) else { return }
            for case .record(let record) in reply.records { tally.note([record]) }
        } catch {
            guard case .refused = error else { throw error }
        }
    }
}
