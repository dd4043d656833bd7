import Basics
import JSON

// Requests about time: the clock, and what waits for a tick.
extension AdminRequest {
    /// `{"mode": "frozen", "now": "2026-01-15T08:30:00Z"}`
    static func clock(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let body = input.body
        let mode: ServerClock.Mode? = try body.choice("mode")
        let rate = try body.decimal("rate")
        guard let number = try body.number("milliseconds", in: 0...Timestamp.last.milliseconds)
        else { return .setClock(mode, try moment(body), rate: rate) }
        guard body.present("now") == nil else {
            throw AdminError("either now or milliseconds, not both")
        }
        return .setClock(mode, Timestamp(milliseconds: Int64(number)), rate: rate)
    }

    private static func moment(_ body: JSONValue) throws(AdminError) -> Timestamp? {
        guard let text = try body.text("now") else { return nil }
        // What is read and written as something else, such as February 31, is no date.
        guard let moment = Timestamp(iso8601: text), moment.iso8601 == text else {
            throw AdminError("now must be a moment and look like 2026-01-15T08:30:00Z")
        }
        return moment
    }

    /// `{"by": "31d"}`, with a minus sign backwards.
    static func clockStep(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let (body, bound) = (input.body, ServerClock.stepMax)
        let seconds = try body.number("seconds", in: -bound / 1000...bound / 1000)
        let milliseconds = try body.number("milliseconds", in: -bound...bound)
        guard let text = try body.text("by") else {
            guard seconds != nil || milliseconds != nil else {
                throw AdminError("needs \"by\", a duration such as 90s, 1h30m or 31d")
            }
            return .advanceClock(
                milliseconds: Int64(seconds ?? 0) * 1000 + Int64(milliseconds ?? 0))
        }
        guard seconds == nil, milliseconds == nil else {
            throw AdminError("either by, or seconds and milliseconds")
        }
        let isBack = text.hasPrefix("-")
        guard
            let step = DurationText.parse(
                isBack ? String(text.dropFirst()) : text, upTo: .milliseconds(bound))
        else {
            throw AdminError(
                "by \"\(text)\" must be a duration such as 90s, 1h30m or 31d, of a hundred "
                    + "years at most"
            )
        }
        let length = DurationText.milliseconds(step)
        return .advanceClock(milliseconds: isBack ? -length : length)
    }

    /// `{"what": "push", "count": 1}`
    static func tick(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let text = try input.body.requiredText("what")
        return .tick(
            try Tick(asked: text), count: try input.body.number("count", in: 1...1_000_000_000))
    }
}
