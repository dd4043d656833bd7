import Basics
import CommandLine
import Configuration

/// Shows, stops, sets or moves the clock of a running mock server.
struct ClockCommand: AdministrationCommand {
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
    let arguments: Arguments
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

    func run(on server: AdminClient, _ console: Console) async throws(CommandFailure) -> VerbResult
    {
        let clock = try await change(server)
        console.result(clock.line)
        console.event(clock.event)
        return .done
    }

    private func change(_ admin: AdminClient) async throws(CommandFailure) -> ClockReading {
        let value = arguments.positionals.last ?? ""
        switch act {
        case nil: return try await admin.clock()
        case .freeze: return try await admin.setClock([.init("mode", "frozen")])
        case .real: return try await admin.setClock([.init("mode", "real")])
        case .scale: return try await admin.scaleClock(by: Double(value) ?? 1)
        case .set: return try await admin.setClock([.init("now", value)])
        case .advance: return try await admin.advanceClock(by: value)
        }
    }
}
