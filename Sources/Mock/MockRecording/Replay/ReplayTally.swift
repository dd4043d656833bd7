import AsyncOperations

/// What has come of a replay so far.
final class ReplayTally: Sendable {
    private struct State {
        var answered = 0
        var misses = 0
        var unasked: [RecordingFile.Entry] = []
    }

    private let state = Locked(State())
    private let report: @Sendable (String) -> Void
    /// Misses that are told one by one.
    private static let toldMax = 100

    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    func answer() { state.withLock { $0.answered += 1 } }

    /// A request has no answer; how many have none.
    func miss(_ reason: String) -> Int {
        let misses = state.withLock { state in
            state.misses += 1
            return state.misses
        }
        if misses <= Self.toldMax { report(reason) }
        if misses == Self.toldMax { report("further requests without a response are only counted") }
        return misses
    }

    func end(_ unasked: [RecordingFile.Entry]) { state.withLock { $0.unasked = unasked } }

    var summary: ReplayServer.Summary {
        state.withLock {
            ReplayServer.Summary(answered: $0.answered, misses: $0.misses, unasked: $0.unasked)
        }
    }
}
