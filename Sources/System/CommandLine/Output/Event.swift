package import Basics
import JSON

/// One fact for programs: a line of `--json`.
package struct Event: Sendable, Hashable {
    /// A value in an event.
    package indirect enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([Value])
        case object([Field])
        case null
    }

    /// A key and its value; order is kept.
    package struct Field: Sendable, Hashable {
        package let key: String
        package let value: Value

        package init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
        package init(_ key: String, _ text: String?) {
            self.init(key, text.map { .text($0) } ?? .null)
        }
        package init(_ key: String, _ number: Int) { self.init(key, .number(number)) }
        package init(_ key: String, _ flag: Bool) { self.init(key, .flag(flag)) }
    }

    package let name: String
    package var fields: [Field]

    package init(_ name: String, _ fields: [Field] = []) {
        self.name = name
        self.fields = fields
    }

    /// The event as one line of JSON with its end.
    ///
    /// - Parameter server: The address of the server that is talked to, where it is a rehearsal.
    package func line(at moment: Timestamp, rehearsalAt server: String? = nil) -> String {
        var writer = JSONWriter()
        let known = Set(fields.map(\.key))
        let marks = server.map { [Field("rehearsal", true), Field("server", $0)] } ?? []
        Self.write(
            .object(
                [Field("event", name), Field("time", moment.iso8601)] + fields
                    + marks.filter { !known.contains($0.key) }), to: &writer)
        writer.endLine()
        return writer.text
    }

    /// The fields alone, laid out for people.
    package var prettyText: String {
        var writer = JSONWriter(pretty: true)
        Self.write(.object(fields), to: &writer)
        writer.endLine()
        return writer.text
    }

    private static func write(_ value: Value, to writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.string(text)
        case .number(let number): writer.int64(Int64(number))
        case .flag(let flag): writer.bool(flag)
        case .null: writer.null()
        case .list(let list):
            writer.beginArray()
            for element in list { write(element, to: &writer) }
            writer.endArray()
        case .object(let fields):
            writer.beginObject()
            for field in fields {
                writer.key(field.key)
                write(field.value, to: &writer)
            }
            writer.endObject()
        }
    }
}
