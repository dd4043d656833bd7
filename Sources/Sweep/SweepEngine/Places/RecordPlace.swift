import DeletionPlanning

/// A place whose things are records, which are deleted and asked for by name.
protocol RecordPlace: Place {}

extension RecordPlace {
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
