/// How a rule holds a request at a gate.
package struct GateHold: Sendable, Hashable {
    /// The gate's name.
    package let gate: String
    package let point: GatePoint
    /// Real time after which the request is released; at most ten minutes.
    package let deadline: Duration

    static let deadlineStandard = Duration.seconds(60)
}

/// The point at which a request is held.
package enum GatePoint: String, Sendable, CaseIterable {
    /// Before it is processed: when released, it is processed as if it arrived then.
    case received
    /// Other faults are decided; nothing was executed.
    case beforeCommit = "before-commit"
    /// It was executed and committed; its delay is still to come.
    case afterCommit = "after-commit"
    /// Only the response is left to send, or the connection to cut.
    case beforeReply = "before-reply"

    /// Whether the request has been executed at this point.
    package var isAfterCommit: Bool { self == .afterCommit || self == .beforeReply }
}
