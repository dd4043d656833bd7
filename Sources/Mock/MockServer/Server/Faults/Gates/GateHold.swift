/// How a rule holds a request at a gate.
package struct GateHold: Sendable, Hashable {
    /// The gate's name.
    package let gate: String
    package let point: GatePoint
    /// After how much real time the request goes on by itself; ten minutes at most.
    package let deadline: Duration

    static let deadlineStandard = Duration.seconds(60)
}

/// Where in its course a request waits at a gate.
package enum GatePoint: String, Sendable, CaseIterable {
    /// Before anything is done with it: released, it is looked at as if it came only then.
    case received
    /// Other faults are decided; nothing is carried out.
    case beforeCommit = "before-commit"
    /// It is carried out and stored; what delays it is still to come.
    case afterCommit = "after-commit"
    /// Nothing is left but to send the answer, or to cut the connection.
    case beforeReply = "before-reply"

    /// Whether what the request asks for is done by then.
    var isAfterCommit: Bool { self == .afterCommit || self == .beforeReply }
}

/// What is told of a request that waits at a gate.
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
