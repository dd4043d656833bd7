import CommandLine
import JSON

/// What one client of a mock server did wrong.
struct ReportedFinding: Sendable {
    let line: String
    let event: Event

    /// Reads what the server tells of it.
    ///
    /// - Parameter namespace: Where it was found; "" is the server's own world.
    init(_ value: JSONValue, of namespace: String) throws(CommandFailure) {
        guard let rule = value["rule"]?.string, let message = value["message"]?.string,
            let instead = value["instead"]?.string, let times = value["times"]?.int64,
            let requests = value["requests"], requests.kind == .array
        else { throw Self.unreadable }
        let texts = ["user", "device", "clientId"].map { ($0, value[$0]?.string) }
        let who = [namespace.isEmpty ? nil : namespace] + texts.prefix(2).map(\.1)
        let place = who.compactMap(\.self).joined(separator: ", ")
        line =
            "\(rule)\(place.isEmpty ? "" : " (\(place))"): \(message)"
            + (times > 1 ? " Seen \(times) times." : "") + " \(instead)"
        var numbers: [Event.Value] = []
        for request in requests.elements {
            guard let number = request.int64 else { throw Self.unreadable }
            numbers.append(.number(Int(number)))
        }
        event = Event(
            "finding",
            [.init("rule", rule), .init("namespace", namespace.isEmpty ? nil : namespace)]
                + texts.map { .init($0, $1) }
                + ["container", "environment", "database", "zone"].map {
                    .init($0, value[$0]?.string)
                } + [
                    .init("requests", .list(numbers)), .init("times", Int(times)),
                    .init("message", message), .init("instead", instead),
                ])
    }

    static let unreadable = CommandFailure(
        .internalError, "cannot read the mock server's findings")
}
