import CloudModel
import DeletionPlanning
import Journal

/// Looks for record types that rules keep, in every custom zone that could hold them.
///
/// The type filter of the change feed is not relied on: all records are read.
struct ZoneContents: Sendable {
    let look: PlaceLook

    /// Looks into the zones that this look has seen, and asks once more by record type.
    func lookIntoAll() async throws(SweepFailure) -> Finding {
        let rules = look.request.policy.protect.filter { $0.concerns(look.container) }
        let types = Set(rules.compactMap(\.recordType))
        guard !types.isEmpty else { return .complete }
        var finding = try await lookIntoEach()
        finding.add(try await KeptTypes(look: look).compare(types))
        return finding
    }

    private func lookIntoEach() async throws(SweepFailure) -> Finding {
        var finding = Finding.complete
        let policy = look.request.policy
        var last = look.row(.zone)
        while true {
            let page = try await zones(after: last)
            guard let end = page.last else { return finding }
            for zone in page {
                guard zone.container == look.index, zone.scope == look.scope, zone.kind == .zone
                else { return finding }
                let kept = policy.typesKept(inZone: zone.zone, of: look.container)
                if kept.isEmpty || policy.ruleKeepingZone(zone.zone, in: look.container) != nil {
                    continue
                }
                do throws(SweepFailure) {
                    try await lookInto(zone, for: Set(kept))
                } catch {
                    finding.add(try look.unread(.customZones, zone.zone, error))
                }
            }
            last = end
        }
    }

    private func zones(after row: SeenRow) async throws(SweepFailure) -> [SeenRow] {
        do throws(JournalError) {
            return try await look.journal.seen(
                run: look.run, in: look.look, after: row, limit: 100)
        } catch {
            throw .journal(error)
        }
    }

    private func lookInto(_ zone: SeenRow, for kept: Set<String>) async throws(SweepFailure) {
        var holdsKept = false
        let count = try await eachPage(of: zone.zone, desiredKeys: []) { (records) in
            holdsKept = holdsKept || records.contains { kept.contains($0.recordType) }
        }
        if holdsKept { try await note(zone, atLeast: count) }
        var looked = zone
        let contents: Observation.Contents = holdsKept ? .holdsKept : .nothingKept
        looked.detail = contents.number
        try await look.journal.remember([.detail(look.look, looked)], run: look.run)
    }

    /// Notes the records of a zone that stays.
    ///
    /// - Parameter count: How many there were before.
    /// - Throws: `refused` when there are fewer now: one of the two times something was left out.
    private func note(_ zone: SeenRow, atLeast count: Int) async throws(SweepFailure) {
        // With all fields this time: what is kept may refer to what goes.
        let noted = try await eachPage(of: zone.zone, desiredKeys: nil) {
            (records) async throws(SweepFailure) in
            try await look.note(
                records.map {
                    look.row(
                        .zoneRecord, zone: zone.zone, type: $0.recordType, name: $0.id.recordName)
                })
            try await look.noteLinks(of: records, others: false)
        }
        guard noted >= count else {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason: "the changes of the zone show fewer records when they are read again"))
        }
    }

    /// - Returns: how many records there were.
    private func eachPage(
        of zone: String, desiredKeys: [String]?,
        _ visit: ([Record]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) -> Int {
        var count = 0
        try await look.eachPage { (position) async throws(SweepFailure) in
            // Reading can begin anew.
            if position == nil { count = 0 }
            let command = CloudRead.zoneChanges([
                ZoneChangesRequest(
                    zoneID: look.own(RecordZone.ID(zone)),
                    token: position.map { ChangeToken($0) }, limit: 200, desiredKeys: desiredKeys)
            ])
            guard case .zoneChanges(let items) = try await look.read(command), items.count == 1
            else { throw .refused(.wrongReply(to: command)) }
            switch items[0] {
            // It went while we looked: nothing in it can be kept.
            case .failure(_, let error) where error.code == .zoneNotFound:
                return ListingPage(next: nil, isEmpty: true)
            case .failure(_, let error): throw .refused(error)
            case .page(let page):
                var records: [Record] = []
                for entry in page.records {
                    switch entry {
                    case .record(let record): records.append(record)
                    case .deleted: continue
                    case .failure(_, let error): throw .refused(error)
                    }
                }
                count += records.count
                try await visit(records)
                return ListingPage(
                    next: page.moreComing ? page.token.rawValue : nil,
                    isEmpty: page.records.isEmpty)
            }
        }
        return count
    }
}

extension PlaceLook {
    /// Notes which records refer to others and go along when those are deleted.
    func noteLinks(of records: [Record], others: Bool) async throws(SweepFailure) {
        let links = records.flatMap { record in
            record.deleteSelfTargets.map { target in
                LinkRow(
                    container: index, scope: scope, zone: record.id.zoneID.zoneName,
                    name: record.id.recordName, type: record.recordType, isOthers: others,
                    target: target)
            }
        }
        guard !links.isEmpty else { return }
        try await journal.remember([.links(look, links)], run: run)
    }
}

extension Record {
    /// The records of its own zone that it refers to with `DELETE_SELF`, in order.
    var deleteSelfTargets: [String] {
        var targets: Set<String> = []
        for field in fields.values { field.value.collect(into: &targets, zone: id.zoneID) }
        return targets.sorted()
    }
}

extension FieldValue {
    fileprivate func collect(into targets: inout Set<String>, zone: RecordZone.ID) {
        switch self {
        case .reference(let reference):
            let isHere = reference.zoneID.map { $0.zoneName == zone.zoneName } ?? true
            if reference.action == .deleteSelf, isHere { targets.insert(reference.recordName) }
        case .list(_, let values):
            for value in values { value.collect(into: &targets, zone: zone) }
        case .string, .int64, .double, .bytes, .timestamp, .location, .asset: return
        }
    }
}
