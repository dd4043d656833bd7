import DeletionPlanning

/// A place whose things end with something else: no plan names one, and nothing is removed in it.
protocol DependentPlace: Place {}

extension DependentPlace {
    /// - Throws: `unusable`, always: whoever asks has a step that cannot be.
    func answering(
        _ step: DeletionStep, _ look: PlaceLook
    ) async throws(SweepFailure) -> [String] {
        throw .unusable("a step names \(kind.rawValue), which no plan can delete")
    }

    /// - Throws: `unusable`, always.
    func remove(
        _ names: [String], of step: DeletionStep, through channel: WriteChannel
    ) async throws(SweepFailure) -> [String: ItemAnswer] {
        throw .unusable("a step names \(kind.rawValue), which no plan can delete")
    }
}
