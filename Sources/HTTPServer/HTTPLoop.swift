/// The loop that an application answers to. Use it on its own thread only.
package final class HTTPLoop {
    /// Names a timer.
    package struct TimerID: Hashable, Sendable { let number: UInt64 }

    /// Monotonic time, from an arbitrary start; taken once a turn.
    package var now: Duration { preconditionFailure("not yet") }

    /// Answers an exchange that was put off. False when its client has gone.
    @discardableResult
    package func respond(to exchange: ExchangeID, _ response: HTTPResponse) -> Bool {
        preconditionFailure("not yet")
    }

    /// Closes the connection of an exchange without an answer; see ``HTTPAnswer/cut``.
    @discardableResult
    package func cut(_ exchange: ExchangeID) -> Bool { preconditionFailure("not yet") }

    /// Runs `body` on the loop after a delay.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping (HTTPLoop) -> Void) -> TimerID {
        preconditionFailure("not yet")
    }

    /// Forgets a timer that has not fired.
    package func cancel(_ timer: TimerID) { preconditionFailure("not yet") }
}
