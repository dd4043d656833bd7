import CloudModel
import DeletionPlanning

/// How zones are deleted or left as a whole, and asked for by name.
enum ZoneAccess {
    /// Those of a step's zones that are there: whose feed of changes answers, listed or not.
    static func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        var there: [String] = []
        try await NameBatches.each(of: step.names) { (batch) async throws(SweepFailure) in
            let command = CloudRead.zoneChanges(
                batch.map {
                    ZoneChangesRequest(
                        zoneID: look.own(RecordZone.ID(qualifiedName: $0)), limit: 1,
                        desiredKeys: [])
                })
            guard case .zoneChanges(let items) = try await look.read(command),
                items.count == batch.count
            else { throw .refused(.wrongReply(to: command)) }
            for (name, item) in zip(batch, items) {
                switch item {
                case .page: there.append(name)
                case .failure(_, let error) where error.code == .zoneNotFound: continue
                case .failure(_, let error): throw .refused(error)
                }
            }
        }
        return there
    }

    /// Deletes zones, which in a shared database leaves them.
    ///
    /// - Parameter names: Qualified by their owners where those are others.
    static func remove(
        _ names: [String], through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        let write = CloudWrite.modifyZones(
            names.map { .delete(channel.own(RecordZone.ID(qualifiedName: $0))) })
        guard case .zones(let items) = try await channel.send(write), items.count == names.count
        else { throw .refused(.wrongReply(to: write)) }
        var answers = [String: ItemAnswer](minimumCapacity: items.count)
        for (name, item) in zip(names, items) {
            switch item {
            case .deleted: answers[name] = .deleted
            case .failure(_, let error): answers[name] = .failure(error)
            case .zone: continue
            }
        }
        return answers
    }
}
