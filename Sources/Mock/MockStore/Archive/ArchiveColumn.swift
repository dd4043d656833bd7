import Basics
import CloudModel
import JSON
import SQLite

/// One column of a table, as archives have it.
struct ArchiveColumn: Sendable {
    /// What may stand in it.
    enum Content: Sendable {
        case text(String, @Sendable (String) -> Bool)
        case integer(ClosedRange<Int64>)
        case flag
        case row(ArchiveRow)
    }

    /// In the table.
    let name: String
    /// In the archive.
    let key: String
    let content: Content
    let isOptional: Bool

    // MARK: - Into an archive

    /// - Throws: Where the row is damaged.
    func write(
        _ value: Value, of row: [Value], to writer: inout JSONWriter
    ) throws(MockStoreError) {
        switch (content, value) {
        case (_, .null) where isOptional: writer.null()
        case (.text, .text(let text)): writer.string(text)
        case (.integer, .integer(let number)): writer.int64(number)
        case (.flag, .integer(let number)): writer.bool(number != 0)
        case (.row(let form), .blob(let bytes)):
            guard let json = form.json(bytes, row) else { throw damaged }
            writer.raw(json)
        case (.row, .null): writer.null()
        default: throw damaged
        }
    }

    private var damaged: MockStoreError {
        MockStoreError(.corrupt, "a row's \"\(key)\" is damaged, and cannot be exported")
    }

    // MARK: - Out of an archive

    /// - Parameter row: The columns before this one.
    func read(_ json: JSONValue, of row: [Value]) throws(ArchiveError) -> Value {
        if json.isNull, isOptional { return .null }
        switch content {
        case .text(let expected, let isValid):
            guard let text = json.string, isValid(text) else {
                throw ArchiveError(json, "\"\(key)\" must be \(expected)" + orNull)
            }
            return .text(text)
        case .integer(let range):
            guard let number = json.int64, range.contains(number) else {
                throw ArchiveError(
                    json,
                    "\"\(key)\" must be a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound)" + orNull)
            }
            return .integer(number)
        case .flag:
            guard let flag = json.bool else {
                throw ArchiveError(json, "\"\(key)\" must be true or false")
            }
            return .integer(flag ? 1 : 0)
        case .row(let form): return .blob(try form.bytes(json, row))
        }
    }

    private var orNull: String { isOptional ? ", or null" : "" }
}

// The columns that there are.
extension ArchiveColumn {
    init(
        _ name: String, _ key: String?, _ content: Content, isOptional: Bool = false
    ) {
        (self.name, self.key) = (name, key ?? name)
        (self.content, self.isOptional) = (content, isOptional)
    }

    /// Larger than any counter gets, and far from where one more would be too much.
    private static let countMax: Int64 = 1 << 40

    var optional: ArchiveColumn { ArchiveColumn(name, key, content, isOptional: true) }

    static func text(_ name: String, _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(name, key, .text("a text", { _ in true }))
    }

    /// One of a few names.
    static func choice(_ name: String, _ choices: [String], _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(
            name, key,
            .text("one of " + choices.joined(separator: ", "), { choices.contains($0) }))
    }

    static func count(
        _ name: String, _ key: String? = nil, from least: Int64 = 0, to most: Int64 = countMax
    ) -> ArchiveColumn { ArchiveColumn(name, key, .integer(least...most)) }

    static func flag(_ name: String, _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(name, key, .flag)
    }

    static func time(_ name: String) -> ArchiveColumn {
        ArchiveColumn(name, nil, .integer(0...Timestamp.last.milliseconds))
    }

    static func row(_ form: ArchiveRow, _ key: String) -> ArchiveColumn {
        ArchiveColumn("body", key, .row(form))
    }

    static let container = ArchiveColumn(
        "container", nil, .text("a container's identifier", { Container.ID($0) != nil }))
    static let environment = choice(
        "environment", Container.Environment.allCases.map(\.rawValue))

    static func user(_ name: String = "user", _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(name, key, .text("a user's name", { MockUser.isValid(name: $0) }))
    }

    static func zone(_ name: String, _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(
            name, key, .text("a zone's name", { (1...2048).contains($0.utf8.count) }))
    }

    static func record(_ name: String = "name", _ key: String? = nil) -> ArchiveColumn {
        ArchiveColumn(
            name, key,
            .text("a record's name of 1 to 255 characters", { ItemName.isPossible($0) }))
    }

    static func type(_ name: String) -> ArchiveColumn {
        ArchiveColumn(
            name, nil,
            .text(
                "a record type's name",
                { FieldChecker.isValid(name: $0) || $0 == Share.recordType }))
    }
}
