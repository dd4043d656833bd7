import CommandLine

/// What the clock of a mock server shows.
struct ClockReading {
    /// `real`, `frozen` or `scaled`.
    let mode: String
    /// In ISO 8601.
    let now: String
    /// Of a scaled clock: its seconds in one second.
    private let rate: Double?

    init(_ answer: AdminAnswer) throws(CommandFailure) {
        mode = try answer.text("mode")
        now = try answer.text("now")
        rate = answer.optionalFraction("rate")
    }

    var line: String {
        let pace = mode == "scaled" ? rate.map { " \($0)" } ?? "" : ""
        return "\(mode)\(pace), \(now)"
    }

    var event: Event {
        Event(
            "clock",
            [.init("mode", mode), .init("now", now), .init("rate", rate.map { "\($0)" })])
    }
}
