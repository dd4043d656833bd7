import CloudModel
import DeletionPlanning
import Journal

/// Records that the person created in zones of others. They are deleted, by name, only where the list
/// says so; that they went is looked at just before their zone is left, and nobody can later.
struct SharedRecords: RecordPlace {
    let kind = CoverageRow.Kind.sharedRecords
    let scope = Database.Scope.shared
    let items: Set<ItemKind> = [.sharedRecord]
    let isPart = true

    /// ``SharedZones`` notes them when it looks into the zones.
    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding { .complete }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        try await RecordAccess.removeMine(names, of: step, through: channel)
    }
}
