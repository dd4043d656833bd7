import Basics
import CommandLine
import Configuration
import JSON

/// Shows, stops, sets or moves the clock of a running mock server.
struct ClockCommand: Command {
    private enum Act: String, CaseIterable {
        case freeze, real, scale, set, advance

        /// What has to follow; nil: nothing.
        var value: String? {
            switch self {
            case .freeze, .real: nil
            case .scale: "a factor such as 60 or 0.5"
            case .set: "a time such as 2026-01-15T08:30:00Z"
            case .advance: "a duration such as 31d, 90s or 1h30m"
            }
        }
    }

    static let verb = Verb(
        "clock", "show, freeze, set or advance the clock of a running mock server",
        discussion: [
            "The server takes every time from this clock: when tokens, feeds and assets expire, "
                + "and how long a throttled client has to wait. Without an argument, shows the "
                + "clock. freeze stops it; set moves it to a time, where a frozen clock stays; "
                + "advance moves it forward; scale makes it run faster or slower; real returns to "
                + "the time of this machine."
        ],
        positionals: [
            Positional(.choice(Act.allCases.map(\.rawValue)), .optional, "what to do"),
            Positional(.text("VALUE"), .optional, "factor, time or duration"),
        ],
        options: AdminClient.options + CommonOptions.output,
        examples: [
            .init("cloudkit-mock clock freeze", "stop the clock"),
            .init("cloudkit-mock clock advance 31d", "a month later"),
            .init("cloudkit-mock clock set 2026-01-15T08:30:00Z", "a certain day"),
            .init("cloudkit-mock clock scale 60", "one hour per minute"),
        ])
    private let arguments: Arguments
    private let act: Act?

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let act = arguments.positionals.first.flatMap { Act(rawValue: $0) }
        self.act = act
        guard let act else { return }
        let value = arguments.positionals.dropFirst().first
        switch (act.value, value) {
        case (let expected?, nil):
            throw UsageError("\"cloudkit-mock clock \(act.rawValue)\" needs \(expected)")
        case (nil, let value?):
            throw UsageError("\"cloudkit-mock clock \(act.rawValue)\" does not take \"\(value)\"")
        case (let expected?, let value?):
            let isLegal =
                switch act {
                case .scale: Double(value).map { $0.isFinite && $0 >= 0 } ?? false
                case .set: Timestamp(iso8601: value) != nil
                default: DurationText.parse(value) != nil
                }
            guard isLegal else { throw UsageError("\"\(value)\" must be \(expected)") }
        case (nil, nil): break
        }
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let admin = try AdminClient(arguments, in: environment)
        defer { admin.close() }
        let answer = try await ask(admin)
        let mode = answer["mode"]?.string ?? ""
        let now = answer["now"]?.string ?? ""
        let rate = answer["rate"]?.double
        let pace = mode == "scaled" ? rate.map { " \($0)" } ?? "" : ""
        console.result("\(mode)\(pace), \(now)")
        console.event(
            Event(
                "clock",
                [.init("mode", mode), .init("now", now), .init("rate", rate.map { "\($0)" })]))
        return .done
    }

    private func ask(_ admin: AdminClient) async throws(CommandFailure) -> JSONValue {
        let value = arguments.positionals.last ?? ""
        switch act {
        case nil: return try await admin.ask(.get, "clock")
        case .freeze: return try await admin.ask(.put, "clock", [.init("mode", "frozen")])
        case .real: return try await admin.ask(.put, "clock", [.init("mode", "real")])
        case .scale:
            // Checked above: a number, which JSON spells as Swift does.
            let body = "{\"mode\":\"scaled\",\"rate\":\(Double(value) ?? 1)}"
            return try await admin.ask(.put, "clock", Array(body.utf8))
        case .set: return try await admin.ask(.put, "clock", [.init("now", value)])
        case .advance: return try await admin.ask(.post, "clock/advance", [.init("by", value)])
        }
    }
}
