import CloudModel
import DeletionPlanning
import Journal

/// The default zone of the private database. It is tried to be deleted as a whole; its records are
/// deleted by name all the same, and nothing is concluded from how the try is answered.
struct DefaultZone: RecordPlace {
    let kind = CoverageRow.Kind.defaultZone
    let scope = Database.Scope.private
    let items: Set<ItemKind> = [.record, .defaultZone]
    let needsTypes = true

    func find(_ look: PlaceLook) async throws(SweepFailure) -> Finding {
        try await look.note([look.row(.defaultZone)], isNews: false)
        return try await TypedListing(look: look, kind: kind).all()
    }

    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        guard case .defaultZone = step.work else {
            return try await RecordAccess.remove(names, of: step, through: channel)
        }
        let write = CloudWrite.modifyZones([.delete(channel.own(.default))])
        guard case .zones(let items) = try await channel.send(write), items.count == 1 else {
            throw .refused(.wrongReply(to: write))
        }
        if case .failure(_, let error) = items[0] { return [names[0]: .failure(error)] }
        return [names[0]: .deleted]
    }
}
