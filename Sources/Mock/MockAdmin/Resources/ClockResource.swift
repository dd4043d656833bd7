import Basics
import CloudWire
import HTTPServer
import JSON
import MockService

/// The server's clock.
struct ClockResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "clock", answers: ["mode", "rate", "now", "milliseconds"], isStored: false,
            "returns the server's time", show),
        AdminEndpoint(
            "PUT", "clock", takes: .object(["mode", "now", "milliseconds", "rate"]),
            answers: ["mode", "rate", "now", "milliseconds"], isStored: false,
            "sets the server's time, and how it advances", set),
        AdminEndpoint(
            "POST", "clock/advance",
            takes: .object([
                .text("by"), "seconds",
                .integer("milliseconds", -ServerClock.stepMax...ServerClock.stepMax),
            ]),
            answers: ["mode", "rate", "now", "milliseconds"], isStored: false,
            "advances the server's time", advance),
    ]

    private func show() -> RequestOutcome {
        let now = clock.now
        return .object { writer in
            writer.member("mode", clock.mode.rawValue)
            writer.member("rate", clock.rate)
            writer.member("milliseconds", now.milliseconds)
            writer.member("now", now.iso8601)
        }
    }

    /// `{"mode": "frozen", "now": "2026-01-15T08:30:00Z"}`
    private func set() throws(MockError) -> RequestOutcome {
        let asked: ServerClock.Mode? = try body.choice("mode")
        let rate = try body.decimal("rate")
        let moment = try moment()
        let mode = asked ?? (rate == nil ? clock.mode : .scaled)
        // Without a time, a frozen clock keeps the time it shows, and a real one continues with the real time.
        if moment == nil, rate == nil, mode == .real {
            clock.reset()
        } else {
            let kept = mode == .scaled && clock.mode == .scaled ? clock.rate : nil
            try clock.set(moment ?? clock.now, mode: mode, rate: rate ?? kept)
        }
        return show()
    }

    private func moment() throws(MockError) -> Timestamp? {
        if let number = try body.number("milliseconds", in: 0...Timestamp.last.milliseconds) {
            guard body.present("now") == nil else {
                throw MockError("either now or milliseconds, not both")
            }
            return Timestamp(milliseconds: Int64(number))
        }
        guard let text = try body.text("now") else { return nil }
        // What is read and written as something else, such as February 31, is no date.
        guard let moment = Timestamp(iso8601: text), moment.iso8601 == text else {
            throw MockError("now must be a moment and look like 2026-01-15T08:30:00Z")
        }
        return moment
    }

    /// `{"by": "31d"}`, with a minus sign backwards.
    private func advance() throws(MockError) -> RequestOutcome {
        let bound = ServerClock.stepMax
        let seconds = try body.number("seconds", in: -bound / 1000...bound / 1000)
        let milliseconds = try body.number("milliseconds", in: -bound...bound)
        guard let text = try body.text("by") else {
            guard seconds != nil || milliseconds != nil else {
                throw MockError("needs \"by\", a duration such as 90s, 1h30m or 31d")
            }
            return try advance(
                milliseconds: Int64(seconds ?? 0) * 1000 + Int64(milliseconds ?? 0))
        }
        guard seconds == nil, milliseconds == nil else {
            throw MockError("either by, or seconds and milliseconds")
        }
        let isBack = text.hasPrefix("-")
        guard
            let step = DurationText.parse(
                isBack ? String(text.dropFirst()) : text, upTo: .milliseconds(bound))
        else {
            throw MockError(
                "by \"\(text)\" must be a duration such as 90s, 1h30m or 31d, of a hundred "
                    + "years at most"
            )
        }
        let length = DurationText.milliseconds(step)
        return try advance(milliseconds: isBack ? -length : length)
    }

    private func advance(milliseconds: Int64) throws(MockError) -> RequestOutcome {
        try clock.advance(milliseconds: milliseconds)
        return show()
    }
}
