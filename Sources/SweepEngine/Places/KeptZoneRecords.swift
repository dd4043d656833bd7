import CloudModel
import DeletionPlanning
import Journal

/// Records of custom zones that stay because a rule keeps some of their records: the others are
/// deleted one by one.
struct KeptZoneRecords: Place {
    let kind = CoverageRow.Kind.zoneRecords
    let scope = Database.Scope.private
    let items: Set<ItemKind> = [.zoneRecord]
    let isPart = true

    /// ``CustomZones`` notes them when it looks into the zones.
    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding { .complete }

    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        try await RecordAccess.answering(step, look)
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        try await RecordAccess.remove(names, of: step, through: channel)
    }
}
