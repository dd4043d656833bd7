import CloudModel
import DeletionPlanning
import Journal

/// What the person shares with others. A share ends with its zone or its root record, so that nothing is
/// removed here; that none is left is looked at in each pass.
struct SharesGiven: DependentPlace {
    let kind = CoverageRow.Kind.sharesGiven
    let scope = Database.Scope.private
    let items: Set<ItemKind> = [.shareGiven]
    let isPart = true

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        var kept = 0
        do throws(SweepFailure) {
            try await look.eachRecordPage(
                ofType: Share.recordType, [], desiredKeys: [], zoneWide: true
            ) { (records) async throws(SweepFailure) in
                let staying = records.filter { stays($0, look) }
                kept += staying.count
                try await look.note(
                    records.filter { !stays($0, look) }.map {
                        look.row(
                            .shareGiven, zone: $0.id.zoneID.zoneName, type: $0.recordType,
                            name: $0.id.recordName)
                    })
            }
        } catch {
            guard case .refused(let refusal) = error,
                refusal.code == .notFound || refusal.code == .badRequest
            else { throw error }
            // Whether shares can be queried nobody has written down. None outlives its zone.
            return Finding(
                isComplete: true,
                remarks: [
                    look.remark(
                        kind, .notInScope,
                        "the service does not list them; each ends with its zone or record",
                        subject: "listing")
                ])
        }
        guard kept > 0 else { return .complete }
        var row = look.remark(
            kind, .kept, "they stay with the zones that rules keep", subject: "of kept zones")
        (row.found, row.kept) = (kept, kept)
        return Finding(isComplete: true, remarks: [row])
    }

    /// Whether a rule keeps what is shared.
    private func stays(_ share: Record, _ look: PlaceLook) -> Bool {
        let zone = share.id.zoneID.zoneName
        let policy = look.request.policy
        return policy.ruleKeepingRecord(type: share.recordType, zone: zone, in: look.container)
            != nil
    }
}
