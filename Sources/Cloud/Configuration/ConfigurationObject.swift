import Basics
package import JSON

/// One object of a configuration, read strictly: every key must be known and stand once.
package struct ConfigurationObject {
    package let file: String
    package let value: JSONValue
    /// The object's name for people, such as `"server"`.
    package let name: String

    package init(
        _ value: JSONValue, in file: String, name: String, keys: [String]
    ) throws(ConfigurationError) {
        self.file = file
        self.value = value
        self.name = name
        guard value.kind == .object else {
            throw Self.error("\(name) must be an object, not \(Self.noun(value))", value, file)
        }
        var seen: Set<String> = []
        for member in value.members {
            let key = member.key
            let place = member.keyLocation
            guard seen.insert(key).inserted else {
                throw ConfigurationError(
                    "the key \"\(Self.shown(key))\" is repeated in \(name)", in: file,
                    line: place.line, column: place.column)
            }
            guard keys.contains(key) else {
                let near = NearestName.find(key, among: keys)
                let hint =
                    near.map { "; did you mean \"\($0)\"?" }
                    ?? "; valid keys: \(keys.joined(separator: ", "))"
                throw ConfigurationError(
                    "unknown key \"\(Self.shown(key))\" in \(name)\(hint)", in: file,
                    line: place.line, column: place.column)
            }
        }
    }

    package func error(_ reason: String, at value: JSONValue? = nil) -> ConfigurationError {
        Self.error(reason, value ?? self.value, file)
    }

    private static func error(
        _ reason: String, _ value: JSONValue, _ file: String
    ) -> ConfigurationError {
        let place = value.location
        return ConfigurationError(reason, in: file, line: place.line, column: place.column)
    }

    package func place(of value: JSONValue) -> ContainerList.Place {
        let location = value.location
        return ContainerList.Place(line: location.line, column: location.column)
    }

    /// What a value is, for people.
    package static func noun(_ value: JSONValue) -> String {
        switch value.kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .integer, .double: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }

    /// A text from the file, short enough for a message.
    package static func shown(_ text: String) -> String {
        text.count <= 80 ? text : text.prefix(77) + "..."
    }

    package func required(_ key: String) throws(ConfigurationError) -> JSONValue {
        guard let member = value[key] else { throw error("\(name) needs the key \"\(key)\"") }
        return member
    }

    package func text(_ key: String) throws(ConfigurationError) -> String? {
        guard let member = value[key] else { return nil }
        return try text(member, key)
    }

    package func text(_ member: JSONValue, _ key: String) throws(ConfigurationError) -> String {
        guard let text = member.string else {
            throw error("\"\(key)\" must be a string, not \(Self.noun(member))", at: member)
        }
        guard !text.isEmpty else { throw error("\"\(key)\" is empty", at: member) }
        guard text.utf8.count <= 4096, !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw error("\"\(key)\" holds control characters or is too long", at: member) }
        return text
    }

    package func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let member = value[key] else { return nil }
        guard let flag = member.bool else {
            throw error("\"\(key)\" must be true or false, not \(Self.noun(member))", at: member)
        }
        return flag
    }

    package func number(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError)
        -> Int?
    {
        guard let member = value[key] else { return nil }
        guard let number = member.int64.flatMap({ Int(exactly: $0) }), range.contains(number)
        else {
            throw error(
                "\"\(key)\" must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)", at: member)
        }
        return number
    }

    /// One of a few words.
    package func choice(
        _ member: JSONValue, _ key: String, among choices: [String]
    ) throws(ConfigurationError) -> String {
        let text = try text(member, key)
        guard choices.contains(text) else {
            let quoted = choices.map { "\"\($0)\"" }
            throw error(
                "\"\(key)\" must be \(quoted.joined(separator: " or ")), not "
                    + "\"\(Self.shown(text))\"\(NearestName.hint(for: text, among: choices))",
                at: member)
        }
        return text
    }

    package func list(_ key: String) throws(ConfigurationError) -> [JSONValue]? {
        guard let member = value[key] else { return nil }
        guard member.kind == .array else {
            throw error("\"\(key)\" must be an array, not \(Self.noun(member))", at: member)
        }
        guard member.count <= 10_000 else {
            throw error("\"\(key)\" has more than 10000 elements", at: member)
        }
        return Array(member.elements)
    }

    /// Texts, each once.
    package func texts(_ key: String) throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for element in try list(key) ?? [] {
            let text = try text(element, key)
            guard !texts.contains(text) else {
                throw error("\"\(Self.shown(text))\" is repeated in \"\(key)\"", at: element)
            }
            texts.append(text)
        }
        return texts
    }
}
