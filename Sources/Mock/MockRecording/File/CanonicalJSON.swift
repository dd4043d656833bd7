import JSON

/// Writes JSON with the members of objects in order, so that equal values are spelled alike.
enum CanonicalJSON {
    static func write(_ value: JSONValue, to writer: inout JSONWriter) {
        switch value.kind {
        case .object:
            writer.beginObject()
            // Where a key is repeated, the last value counts.
            var members: [String: JSONValue] = [:]
            for member in value.members { members[member.key] = member.value }
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                writer.key(key)
                write(value, to: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.elements { write(element, to: &writer) }
            writer.endArray()
        case .string, .integer, .double, .bool, .null: writer.value(value)
        }
    }
}
