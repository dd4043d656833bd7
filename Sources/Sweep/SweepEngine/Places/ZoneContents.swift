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
        try await look.eachSeen(.zone) { (zone) async throws(SweepFailure) in
            let kept = policy.typesKept(inZone: zone.zone, of: look.container)
            if kept.isEmpty || policy.ruleKeepingZone(zone.zone, in: look.container) != nil {
                return
            }
            do throws(SweepFailure) {
                try await lookInto(zone, for: Set(kept))
            } catch {
                finding.add(try look.unread(.customZones, zone.zone, error))
            }
        }
        return finding
    }

    private func lookInto(_ zone: SeenRow, for kept: Set<String>) async throws(SweepFailure) {
        var holdsKept = false
        let count = try await eachPage(of: zone.zone, desiredKeys: []) { (records) in
            holdsKept = holdsKept || records.contains { kept.contains($0.recordType) }
        }
        if holdsKept { try await note(zone, atLeast: count) }
        try await look.note(
            ZoneFacts(contents: holdsKept ? .holdsKept : .nothingKept, records: count), of: zone)
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
            try await look.noteLinks(of: records, in: zone.zone, others: false)
        }
        guard noted >= count else {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason: "the changes of the zone contain fewer records when read again"))
        }
    }

    /// - Returns: how many records there were.
    private func eachPage(
        of zone: String, desiredKeys: [String]?,
        _ visit: ([Record]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) -> Int {
        var count = 0
        let feed = ZoneFeed(zone: look.own(RecordZone.ID(zone)), desiredKeys: desiredKeys)
        try await look.eachRecordPage(of: feed) {
            (records, isFirst) async throws(SweepFailure) in
            count = (isFirst ? 0 : count) + records.count
            try await visit(records)
        }
        return count
    }
}

extension PlaceLook {
    /// Notes which records of a zone refer to others and go along when those are deleted.
    ///
    /// - Parameter zone: As rows name it: with its owner where that is another person.
    func noteLinks(
        of records: [Record], in zone: String, others: Bool
    ) async throws(SweepFailure) {
        let links = records.flatMap { record in
            record.deleteSelfTargets.map { target in
                LinkRow(
                    container: index, scope: scope, zone: zone, name: record.id.recordName,
                    type: record.recordType, isOthers: others, target: target)
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

    /// The fields that refer to records of its own zone with `DELETE_SELF`.
    var deleteSelfFields: [String] {
        fields.compactMap { key, field in
            var targets: Set<String> = []
            field.value.collect(into: &targets, zone: id.zoneID)
            return targets.isEmpty ? nil : key
        }
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
