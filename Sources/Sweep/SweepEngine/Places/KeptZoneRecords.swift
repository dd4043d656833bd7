import CloudModel
import DeletionPlanning
import Journal

/// Records of custom zones that stay because a rule keeps some of their records: the others are
/// deleted one by one.
struct KeptZoneRecords: RecordPlace {
    let kind = CoverageRow.Kind.zoneRecords
    let scope = Database.Scope.private
    let items: Set<ItemKind> = [.zoneRecord]
    let isPart = true

    /// ``CustomZones`` notes them when it looks into the zones.
    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding { .complete }
}
