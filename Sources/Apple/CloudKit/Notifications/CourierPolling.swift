/// Asks a courier until it has something.
///
/// A courier waits with its answer; one that has nothing as soon as it is asked is left alone for a while before it
/// is asked again.
package struct CourierPolling {
    private let clock: SyncClock
    private var backOff = CourierBackOff()
    /// An answer that comes sooner was not waited with.
    private static let soonest: Duration = .seconds(1)

    init(_ clock: SyncClock) { self.clock = clock }

    /// With a clock of its own, for tests.
    package init(clock: some Clock<Duration>) { self.init(SyncClock(clock)) }

    /// The next answer that is not empty.
    ///
    /// - Throws: What a question fails with; `operationCancelled` when the task is cancelled meanwhile.
    package mutating func next(
        _ ask: () async throws(CKError) -> [UInt8]
    ) async throws(CKError) -> [UInt8] {
        while true {
            let began = clock.now
            let answer = try await ask()
            guard answer.isEmpty else {
                backOff.reset()
                return answer
            }
            guard clock.now - began < Self.soonest else {
                backOff.reset()
                continue
            }
            do { try await clock.sleep(backOff.next()) } catch {
                throw CKError(.operationCancelled, "the task was cancelled")
            }
        }
    }
}
