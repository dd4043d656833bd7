package import Basics
package import CloudModel
import JSON

/// What every line of a stream of events begins with.
package struct EventStamp: Sendable {
    private let moment: Timestamp
    private let server: ServerFacts?

    /// - Parameter server: The server that is talked to, where it is a rehearsal; each line says so.
    package init(at moment: Timestamp, rehearsalAt server: ServerFacts?) {
        self.moment = moment
        self.server = server
    }

    func line(_ event: String, _ description: EventValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("event")
        writer.string(event)
        writer.key("time")
        writer.string(moment.iso8601)
        guard case .object(let fields) = description else { return [] }
        let marks: [(String, EventValue)] =
            server.map { [("rehearsal", .flag(true)), ("server", .text($0.url))] } ?? []
        let known = Set(fields.map(\.0))
        EventValue.write(fields + marks.filter { !known.contains($0.0) }, to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
