import CommandLine

/// What one client of a mock server did wrong.
struct ReportedFinding: Sendable {
    let line: String
    let event: Event

    /// Reads what the server tells of it.
    ///
    /// - Parameter namespace: Where it was found; "" is the server's own world.
    init(_ answer: AdminAnswer, of namespace: String) throws(CommandFailure) {
        let rule = try answer.text("rule")
        let message = try answer.text("message")
        let instead = try answer.text("instead")
        let times = try answer.number("times")
        let numbers = try answer.numbers("requests").map { Event.Value.number($0) }
        let texts = ["user", "device", "clientId"].map { ($0, answer.optionalText($0)) }
        let who = [namespace.isEmpty ? nil : namespace] + texts.prefix(2).map(\.1)
        let place = who.compactMap(\.self).joined(separator: ", ")
        line =
            "\(rule)\(place.isEmpty ? "" : " (\(place))"): \(message)"
            + (times > 1 ? " Seen \(times) times." : "") + " \(instead)"
        event = Event(
            "finding",
            [.init("rule", rule), .init("namespace", namespace.isEmpty ? nil : namespace)]
                + texts.map { .init($0, $1) }
                + ["container", "environment", "database", "zone"].map {
                    .init($0, answer.optionalText($0))
                } + [
                    .init("requests", .list(numbers)), .init("times", times),
                    .init("message", message), .init("instead", instead),
                ])
    }
}
