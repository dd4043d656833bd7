import CloudModel
import DataExport
import Journal

/// Reads the contents of one database into a folder.
struct ContentReading: Sendable {
    /// Records in a page of a feed.
    private static let pageMax = 200

    let look: PlaceLook
    let folder: ExportFolder
    let assets: any AssetReading

    // MARK: By change feed

    /// Follows a zone's feed to its end, from where an earlier attempt has come to.
    func readZone(_ row: SeenRow) async throws(SweepFailure) {
        let zone = look.own(RecordZone.ID(qualifiedName: row.zone))
        let owner = row.kind == .sharedZone ? zone.ownerRecordName ?? "" : ""
        let part = try await open(.zone, zone: zone.zoneName, owner: owner)
        do throws(SweepFailure) {
            try await follow(zone, after: part.token, into: part)
        } catch {
            // A token can be too old: then what was read with it is, too.
            guard case .refused(let refusal) = error, refusal.code == .badRequest,
                part.token != nil
            else { throw error }
            try await exporting { () async throws(ExportError) in try await folder.clear(part) }
            try await follow(zone, after: nil, into: part)
        }
    }

    private func follow(
        _ zone: RecordZone.ID, after token: ChangeToken?, into part: ExportFolder.OpenPart
    ) async throws(SweepFailure) {
        var start = token
        var hasBegun = false
        try await look.eachPage { (position) async throws(SweepFailure) in
            if position == nil {
                // Reading can begin anew.
                if hasBegun {
                    start = nil
                    try await exporting { () async throws(ExportError) in
                        try await folder.clear(part)
                    }
                }
                hasBegun = true
            }
            let page = try await page(of: zone, after: position.map { ChangeToken($0) } ?? start)
            var (records, gone): ([Record], [String]) = ([], [])
            for item in page.records {
                switch item {
                case .record(let record): records.append(record)
                case .deleted(let name, _): gone.append(name)
                case .failure(_, let error): throw .refused(error)
                }
            }
            let items = try await items(of: records, in: zone, part)
            let left = gone
            try await exporting { () async throws(ExportError) in
                try await folder.take(items, without: left, token: page.token, into: part)
            }
            tell(items.count)
            return ListingPage(
                next: page.moreComing ? page.token.rawValue : nil, isEmpty: page.records.isEmpty)
        }
    }

    private func page(
        of zone: RecordZone.ID, after token: ChangeToken?
    ) async throws(SweepFailure) -> ZoneChangesPage {
        let command = CloudRead.zoneChanges([
            ZoneChangesRequest(zoneID: zone, token: token, limit: Self.pageMax)
        ])
        guard case .zoneChanges(let answer) = try await look.read(command), answer.count == 1
        else { throw .refused(.wrongReply(to: command)) }
        switch answer[0] {
        case .page(let page): return page
        // A zone that was listed and is gone is no empty one: the next attempt will not list it.
        case .failure(_, let error): throw .refused(error)
        }
    }

    // MARK: By name

    /// Reads records that the look has found, each of which must be there and of its type.
    func readRecords(_ rows: [SeenRow]) async throws(SweepFailure) {
        let part = try await open(.records, zone: rows[0].zone)
        let zone = look.own(RecordZone.ID(rows[0].zone))
        let records = try await lookUp(rows.map(\.name), in: zone)
        for (record, row) in zip(records, rows) where record.recordType != row.type {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason: "a record has another type than in the listing"))
        }
        try await take(records, in: zone, part)
    }

    /// Reads the record that the person has in the container.
    func readUserRecord() async throws(SweepFailure) {
        let part = try await open(.userRecord)
        let records = try await lookUp([look.person.userRecordName], in: .default)
        try await take(records, in: .default, part)
    }

    /// Reads subscriptions that the look has found.
    func readSubscriptions(_ rows: [SeenRow]) async throws(SweepFailure) {
        let part = try await open(.subscriptions)
        let command = CloudRead.lookUpSubscriptions(rows.map(\.name))
        guard case .subscriptions(let answer) = try await look.read(command),
            answer.count == rows.count
        else { throw .refused(.wrongReply(to: command)) }
        var items: [ExportItem] = []
        for item in answer {
            switch item {
            case .subscription(let subscription):
                items.append(ExportItem(subscription, of: look.person.userRecordName))
            case .deleted: throw .refused(.wrongReply(to: command))
            case .failure(_, let error): throw .refused(error)
            }
        }
        let read = items
        try await exporting { () async throws(ExportError) in
            try await folder.take(read, into: part)
        }
        tell(read.count)
    }

    private func lookUp(
        _ names: [String], in zone: RecordZone.ID
    ) async throws(SweepFailure) -> [Record] {
        let command = CloudRead.lookUpRecords(
            RecordLookupRequest(recordNames: names, zoneID: zone))
        guard case .records(let reply) = try await look.read(command),
            reply.records.count == names.count
        else { throw .refused(.wrongReply(to: command)) }
        var records: [Record] = []
        for item in reply.records {
            switch item {
            case .record(let record): records.append(record)
            case .deleted: throw .refused(.wrongReply(to: command))
            // What was listed and is gone may have been left out as well: look again.
            case .failure(_, let error): throw .refused(error)
            }
        }
        return records
    }

    private func take(
        _ records: [Record], in zone: RecordZone.ID, _ part: ExportFolder.OpenPart
    ) async throws(SweepFailure) {
        let items = try await items(of: records, in: zone, part)
        try await exporting { () async throws(ExportError) in
            try await folder.take(items, into: part)
        }
        tell(items.count)
    }

    // MARK: Both

    private func open(
        _ kind: ExportPart.Kind, zone: String = "", owner: String = ""
    ) async throws(SweepFailure) -> ExportFolder.OpenPart {
        try await exporting { () async throws(ExportError) in
            try await folder.open(
                ExportPart(kind, in: look.container, look.scope, zone: zone, owner: owner))
        }
    }

    private func items(
        of records: [Record], in zone: RecordZone.ID, _ part: ExportFolder.OpenPart
    ) async throws(SweepFailure) -> [ExportItem] {
        let fetching = AssetFetching(
            look: look, folder: folder, assets: assets, zone: zone, part: part)
        let stored = try await fetching.fetch(records)
        return zip(records, stored).map { ExportItem($0, stored: $1) }
    }

    private func tell(_ count: Int) { look.courier.note { $0.itemsDone += count } }
}
