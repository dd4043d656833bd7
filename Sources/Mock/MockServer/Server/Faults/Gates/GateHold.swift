/// How a rule holds a request at a gate.
package struct GateHold: Sendable, Hashable {
    /// The gate's name.
    package let gate: String
    package let point: GatePoint
    /// After how much real time the request is released; ten minutes at most.
    package let deadline: Duration

    static let deadlineStandard = Duration.seconds(60)
}

/// The point at which a request is held.
package enum GatePoint: String, Sendable, CaseIterable {
    /// Before anything is done with it: when released, it is processed as if it arrived then.
    case received
    /// Other faults are decided; nothing was executed.
    case beforeCommit = "before-commit"
    /// It was executed and committed; its delay is still to come.
    case afterCommit = "after-commit"
    /// Only the response is left to send, or the connection to cut.
    case beforeReply = "before-reply"

    /// Whether what the request asks for is done by then.
    var isAfterCommit: Bool { self == .afterCommit || self == .beforeReply }
}

/// What is reported of a request that is held at a gate.
package struct HeldFacts: Sendable, Hashable {
    /// Such as `zones/modify`.
    package let operation: String
    package let user: String?
    package let device: String?
    package let zones: [String]

    init(_ entry: RequestJournal.Entry) {
        (operation, user, device) = (entry.operation, entry.user, entry.device)
        zones = entry.zones
    }
}
