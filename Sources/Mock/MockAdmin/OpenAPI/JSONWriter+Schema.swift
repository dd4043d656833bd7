import CloudWire
import JSON

// Shapes as JSON Schema, draft 2020-12.
extension JSONWriter {
    /// The schema that what fits `shape` fits.
    mutating func schema(_ shape: Shape) { object { $0.schemaMembers(shape) } }

    /// `"name": { … }`, the schema of `shape`.
    mutating func schema(_ name: String, _ shape: Shape) {
        key(name)
        schema(shape)
    }

    /// Nothing for what can be anything.
    private mutating func schemaMembers(_ shape: Shape) {
        switch shape {
        case .any: break
        case .string(let text):
            member("type", "string")
            if !text.choices.isEmpty { member("enum", text.choices) }
            member("pattern", text.pattern)
            // A limit in bytes is also a limit in characters.
            member("maxLength", text.bytesMax)
        case .integer(let range):
            member("type", "integer")
            member("format", "int64")
            if range.lowerBound != .min { member("minimum", range.lowerBound) }
            if range.upperBound != .max { member("maximum", range.upperBound) }
        case .number: member("type", "number")
        case .flag: member("type", "boolean")
        case .list(let element, let max):
            member("type", "array")
            schema("items", element)
            member("maxItems", max)
        case .map(let value):
            member("type", "object")
            schema("additionalProperties", value)
        case .object(let members): objectSchemaMembers(members)
        case .oneOf(let shapes): array("anyOf", shapes) { $0.schema($1) }
        case .named(let name): member("$ref", "#/components/schemas/\(name)")
        }
    }

    private mutating func objectSchemaMembers(_ members: [Shape.Member]) {
        member("type", "object")
        object("properties") { writer in
            for member in members { writer.schema(member.name, member.shape) }
        }
        let required = members.filter(\.isRequired).map(\.name)
        if !required.isEmpty { member("required", required) }
        member("additionalProperties", false)
    }
}
