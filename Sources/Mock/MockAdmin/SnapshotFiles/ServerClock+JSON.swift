import JSON
import MockService

/// What a clock was set to, in snapshot files; not what it shows now.
extension ServerClock.Setting {
    /// - Throws: ``MockError`` where there is no such setting.
    init(_ json: JSONValue) throws(MockError) {
        try json.allow(["mode", "rate", "shown", "since"])
        guard let mode: ServerClock.Mode = try json.choice("mode"),
            let rate = try json.decimal("rate"),
            let shown = try json.number("shown", in: Self.times),
            let since = try json.number("since", in: Self.times)
        else { throw json.refusal("needs \"mode\", \"rate\", \"shown\" and \"since\"") }
        do throws(MockError) {
            try self.init(mode: mode, rate: rate, shown: Int64(shown), since: Int64(since))
        } catch {
            throw json.refusal(error.reason)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("mode", mode.rawValue)
        writer.member("rate", rate)
        writer.member("shown", shown)
        writer.member("since", since)
    }
}
