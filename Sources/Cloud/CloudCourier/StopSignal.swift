import AsyncOperations

/// Asks a running sweep or sync to stop: no new work is started. Requests in flight are finished,
/// unless it is the time that is over.
package final class StopSignal: Sendable {
    /// Who wants it.
    package enum Reason: Sendable, Hashable {
        /// SIGINT: the run ends with 130.
        case interrupt
        /// SIGTERM: the run ends with 143.
        case terminate
        /// The maximum duration is over: the run ends with 8.
        case outOfTime
        /// Somebody else signed in than the run is about: it ends with 3.
        case otherPerson
    }

    private struct State {
        var reason: Reason?
        var listeners: [(number: Int, call: @Sendable () -> Void)] = []
        var last = 0
    }
    private let state = Locked(State())

    package init() {}

    /// Why to stop; nil: go on. The first reason stays.
    package var reason: Reason? { state.withLock { $0.reason } }

    /// Asks for the stop. May be called from any thread, more than once.
    package func request(_ reason: Reason) {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.listeners = [] }
            return state.listeners.map(\.call)
        }
        for listener in listeners { listener() }
    }

    /// Asks for the stop when `duration` is over, unless the task is cancelled before.
    package func requestOutOfTime(
        after duration: Duration, on clock: any Clock<Duration>
    ) -> Task<Void, Never> {
        let watch = Stopwatch(clock)
        return Task {
            do {
                try await watch.sleep(for: duration)
                request(.outOfTime)
            } catch {
                return  // over before its time
            }
        }
    }

    /// Calls `listener` once when the stop is asked for, at once when it was already.
    ///
    /// - Returns: What to ``forget(_:)`` it by, for who would ask again and again.
    @discardableResult
    package func onStop(_ listener: @escaping @Sendable () -> Void) -> Int {
        let (isAsked, number) = state.withLock { state in
            state.last += 1
            if state.reason == nil { state.listeners.append((state.last, listener)) }
            return (state.reason != nil, state.last)
        }
        if isAsked { listener() }
        return number
    }

    /// Calls a listener no more.
    package func forget(_ listener: Int) {
        state.withLock { $0.listeners.removeAll { $0.number == listener } }
    }
}
