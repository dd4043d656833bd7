import Basics
import Configuration
import Donations
import JSON

/// Reads payload values from JSON, as the export writes them.
struct PayloadReader {
    let file: String

    /// Levels inside one another at most.
    private static let depthMax = 32
    private static let tags = [
        "$data", "$date", "$url", "$uuid", "$set", "$dictionary", "$double",
    ]

    func read(_ value: JSONValue, depth: Int = 0) throws(ConfigurationError) -> PayloadValue {
        guard depth < Self.depthMax else {
            throw error("nested more than \(Self.depthMax) deep", value)
        }
        switch value.kind {
        case .null: return .null
        case .bool: return .bool(value.bool ?? false)
        case .integer: return .integer(value.int64 ?? 0)
        case .double: return .double(value.double ?? 0)
        case .string: return .string(value.string ?? "")
        case .array: return .array(try list(value, depth))
        case .object: return try object(value, depth)
        }
    }

    /// A dictionary with text keys, and nothing else.
    func dictionary(
        _ value: JSONValue, _ key: String
    ) throws(ConfigurationError) -> [String: PayloadValue] {
        guard value.kind == .object else {
            throw error(
                "\"\(key)\" must be an object, not \(ConfigurationObject.noun(value))", value)
        }
        var entries: [String: PayloadValue] = [:]
        for member in value.members {
            guard entries.updateValue(try read(member.value, depth: 1), forKey: member.key) == nil
            else { throw error("a key is repeated in \"\(key)\"", member.value) }
        }
        return entries
    }

    private func list(
        _ value: JSONValue, _ depth: Int
    ) throws(ConfigurationError) -> [PayloadValue] {
        guard value.kind == .array else { throw error("must be an array", value) }
        var elements: [PayloadValue] = []
        for element in value.elements { elements.append(try read(element, depth: depth + 1)) }
        return elements
    }

    private func object(
        _ value: JSONValue, _ depth: Int
    ) throws(ConfigurationError) -> PayloadValue {
        var members = value.members
        if value.count == 1, let member = members.next(), member.key.hasPrefix("$") {
            return try tagged(member, depth)
        }
        var pairs: [String: PayloadValue] = [:]
        for member in value.members {
            guard
                pairs.updateValue(try read(member.value, depth: depth + 1), forKey: member.key)
                    == nil
            else { throw error("a key is repeated in an object", member.value) }
        }
        return .dictionary(pairs)
    }

    private func tagged(
        _ member: JSONMember, _ depth: Int
    ) throws(ConfigurationError) -> PayloadValue {
        let value = member.value
        switch member.key {
        case "$data":
            if let bytes = value.string.flatMap({ Base64.decode($0) }) { return .data(bytes) }
            throw error("\"$data\" must be base64", value)
        case "$date":
            if let seconds = value.double { return .date(seconds) }
            if let moment = value.string.flatMap({ Timestamp(iso8601: $0) }) {
                return .date(Double(moment.milliseconds) / 1000 - 978_307_200)
            }
            throw error("\"$date\" must be a date or seconds since 2001", value)
        case "$url":
            if let text = value.string { return .url(text) }
            throw error("\"$url\" must be a string", value)
        case "$uuid":
            if let bytes = value.string.flatMap({ Self.uuid($0) }) { return .uuid(bytes) }
            throw error("\"$uuid\" must be a UUID", value)
        case "$set": return .set(try list(value, depth))
        case "$double":
            if let number = value.string.flatMap({ Double($0) }) { return .double(number) }
            throw error("\"$double\" must be a number in quotation marks", value)
        case "$dictionary": return try pairs(value, depth)
        default:
            let place = member.keyLocation
            throw ConfigurationError(
                "unknown kind of value"
                    + NearestName.hint(for: member.key, among: Self.tags),
                in: file, line: place.line, column: place.column)
        }
    }

    private func pairs(
        _ value: JSONValue, _ depth: Int
    ) throws(ConfigurationError) -> PayloadValue {
        var pairs: [(key: PayloadValue, value: PayloadValue)] = []
        for element in value.elements {
            guard case .array(let pair) = try read(element, depth: depth + 1), pair.count == 2
            else { throw error("\"$dictionary\" must be an array of pairs", element) }
            pairs.append((key: pair[0], value: pair[1]))
        }
        return .dictionary(pairs)
    }

    private static func uuid(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map({ $0.utf8.count }) == [8, 4, 4, 4, 12] else { return nil }
        let digits = Array(parts.joined())
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private func error(_ reason: String, _ value: JSONValue) -> ConfigurationError {
        let place = value.location
        return ConfigurationError(reason, in: file, line: place.line, column: place.column)
    }
}
