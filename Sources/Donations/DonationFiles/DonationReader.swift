package import Basics
package import Configuration
package import Donations
import JSON

/// Reads donations from JSON, strictly: one mistake, and none is taken.
///
/// An array, an export, one object, or one object a line.
package struct DonationReader {
    /// How a file is named in messages.
    let file: String
    let now: Timestamp
    /// Makes names for what has none.
    var names: SeededGenerator
    /// The saved activities of an export, which their events make anew.
    package private(set) var skipped = 0
    /// The entries of an export's plain lists, which are not read.
    package private(set) var listEntries = 0

    /// Donations in one file at most.
    static let donationsMax = 1_000_000

    package init(file: String, now: Timestamp, seed: UInt64) {
        self.file = file
        self.now = now
        names = SeededGenerator(seed: seed)
    }

    /// Every donation of the text.
    package mutating func read(_ bytes: [UInt8]) throws(ConfigurationError) -> [Donation] {
        let whole: JSONDocument
        do throws(JSONError) {
            whole = try JSONDocument.parse(bytes)
        } catch {
            // One object a line is no JSON text as a whole.
            guard Self.looksLikeLines(bytes) else {
                throw ConfigurationError(
                    error.reason, in: file, line: error.line, column: error.column)
            }
            return try lines(bytes)
        }
        if whole.root.kind == .object, whole.root["donations"] != nil {
            let top = try ConfigurationObject(
                whole.root, in: file, name: "the export",
                keys: ["version", "application", "donations", "lists"])
            listEntries = whole.root["lists"]?.elements.reduce(0) { sum, _ in sum + 1 } ?? 0
            return try list(top.required("donations"))
        }
        return whole.root.kind == .array ? try list(whole.root) : try list([whole.root])
    }

    private mutating func list(_ value: JSONValue) throws(ConfigurationError) -> [Donation] {
        guard value.kind == .array else {
            throw ConfigurationError("\"donations\" must be an array", in: file)
        }
        return try list(Array(value.elements))
    }

    private mutating func list(_ values: [JSONValue]) throws(ConfigurationError) -> [Donation] {
        guard values.count <= Self.donationsMax else {
            throw ConfigurationError("more than \(Self.donationsMax) donations", in: file)
        }
        var donations: [Donation] = []
        for value in values {
            if let donation = try donation(value) { donations.append(donation) }
        }
        return donations
    }

    private mutating func lines(_ bytes: [UInt8]) throws(ConfigurationError) -> [Donation] {
        var donations: [Donation] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 <= 0x20 }) {
            do throws(ConfigurationError) {
                let document: JSONDocument
                do throws(JSONError) {
                    document = try JSONDocument.parse(Array(line))
                } catch {
                    throw ConfigurationError(
                        error.reason, in: file, line: error.line, column: error.column)
                }
                if let donation = try donation(document.root) { donations.append(donation) }
            } catch {
                throw ConfigurationError(
                    error.reason, in: file, line: index + 1, column: error.column)
            }
            guard donations.count <= Self.donationsMax else {
                throw ConfigurationError("more than \(Self.donationsMax) donations", in: file)
            }
        }
        return donations
    }

    /// Whether the first line that is not empty is a whole object and others follow.
    private static func looksLikeLines(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: 0x0A).filter { !$0.allSatisfy { $0 <= 0x20 } }
        guard lines.count > 1 else { return false }
        let ends = lines.prefix(2).map { $0.last { $0 > 0x20 } }
        return lines[0].first { $0 > 0x20 } == UInt8(ascii: "{")
            && ends.contains(UInt8(ascii: "}"))
    }

    private mutating func donation(_ value: JSONValue) throws(ConfigurationError) -> Donation? {
        guard value.kind == .object else {
            throw error(
                "a donation must be an object, not \(ConfigurationObject.noun(value))", value)
        }
        guard let member = value["kind"] else {
            throw error("a donation needs the key \"kind\"", value)
        }
        let kinds = DonationKind.donations.map { $0.rawValue }
        guard let name = member.string, let kind = DonationKind(rawValue: name),
            kinds.contains(name)
        else {
            let near = NearestName.hint(for: member.string ?? "", among: kinds)
            throw error(
                "\"kind\" must be one of \(kinds.joined(separator: ", "))\(near)", member)
        }
        guard kind != .savedActivity else {
            skipped += 1
            return nil
        }
        var form = DonationForm(kind, file: file, now: now)
        return try form.read(value, names: &names)
    }

    private func error(_ reason: String, _ value: JSONValue) -> ConfigurationError {
        let place = value.location
        return ConfigurationError(reason, in: file, line: place.line, column: place.column)
    }
}
