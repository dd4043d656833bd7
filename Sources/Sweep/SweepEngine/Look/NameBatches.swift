import CloudCourier
import DeletionPlanning

/// Names that are asked for, as many in one request as the service takes.
enum NameBatches {
    /// Asks for all of `names`; for half as many at a time once a request is refused because it names
    /// too many.
    ///
    /// - Parameter most: How many at a time at first.
    static func each(
        of names: [String], most: Int = DeletionStep.itemsMax,
        _ ask: ([String]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        var pending = names[...]
        var size = most
        while !pending.isEmpty {
            let batch = Array(pending.prefix(size))
            do throws(SweepFailure) {
                try await ask(batch)
                pending = pending.dropFirst(batch.count)
            } catch {
                guard case .refused(let refusal) = error, batch.count > 1,
                    ErrorPolicy.decision(for: refusal.code) == .halve
                else { throw error }
                size = max(1, batch.count / 2)
            }
        }
    }
}
