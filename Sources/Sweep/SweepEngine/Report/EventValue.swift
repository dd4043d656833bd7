import Basics
import JSON

/// A value in an event or a report: canonical JSON, keys in order.
indirect enum EventValue: Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([EventValue])
    case object([(String, EventValue)])
    /// Left out, with its key.
    case absent

    static func optional(_ text: String?) -> EventValue { text.map { .text($0) } ?? .absent }
    static func optional(_ time: Timestamp?) -> EventValue {
        time.map { .number($0.milliseconds) } ?? .absent
    }

    /// How much is in an export; left out where nothing is, as in all that is not about one.
    static func countOfExports(_ count: Int) -> EventValue {
        count == 0 ? .absent : .number(Int64(count))
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.string(text)
        case .number(let number): writer.int64(number)
        case .flag(let flag): writer.bool(flag)
        case .list(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .object(let fields):
            writer.beginObject()
            Self.write(fields, to: &writer)
            writer.endObject()
        case .absent: writer.null()
        }
    }

    /// Writes the inside of an object, keys in order.
    static func write(_ fields: [(String, EventValue)], to writer: inout JSONWriter) {
        for (key, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            if case .absent = value { continue }
            writer.key(key)
            value.write(to: &writer)
        }
    }

    /// The value's bytes.
    func bytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        write(to: &writer)
        return writer.bytes
    }
}
