import CommandLine
import MockStore

/// What a simulated event has changed.
struct EventReport {
    let message: String
    let zones: [String]
    /// Of a user who was signed in.
    let webToken: String?
    private let changed: Int
    private let users: [String]
    /// Pending work of the same kind; nil: it was none.
    private let pending: Int?

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        message = try answer.text("message")
        changed = try answer.number("changed")
        zones = try answer.texts("zones")
        users = try answer.texts("users")
        webToken = answer.optionalText("webToken")
        pending = answer.optionalNumber("pending")
    }

    func event(of kind: SimulatedEvent.Kind) -> Event {
        Event(
            "simulated",
            [
                .init("simulated", kind.rawValue), .init("changed", changed),
                .init("zones", .list(zones.map { .text($0) })),
                .init("users", .list(users.map { .text($0) })), .init("webToken", webToken),
            ] + (pending.map { [.init("pending", $0)] } ?? []))
    }
}
