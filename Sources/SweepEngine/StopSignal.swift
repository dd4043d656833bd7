import AsyncOperations

/// Asks a running sweep to stop: no new work is started, requests in flight are finished.
package final class StopSignal: Sendable {
    /// Who wants it.
    package enum Reason: Sendable, Hashable {
        /// SIGINT: the run ends with 130.
        case interrupt
        /// SIGTERM: the run ends with 143.
        case terminate
        /// The maximum duration is over: the run ends with 8.
        case outOfTime
    }

    private struct State {
        var reason: Reason?
        var listeners: [@Sendable () -> Void] = []
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
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Calls `listener` once when the stop is asked for, at once when it was already.
    package func onStop(_ listener: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            if state.reason == nil { state.listeners.append(listener) }
            return state.reason != nil
        }
        if isAsked { listener() }
    }
}
