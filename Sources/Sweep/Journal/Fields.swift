import Basics
import CloudModel
import SQLite

/// One row that was read, column after column, strictly: what is not of the kind it should be is
/// damage and an error, never a default.
struct Fields {
    private let table: String
    private let values: [Value]
    private var next = 0

    init(_ values: [Value], of table: String) {
        self.values = values
        self.table = table
    }

    mutating func int64() throws(JournalError) -> Int64 {
        let value = try take()
        guard case .integer(let number) = value else { throw damage("is not a whole number") }
        return number
    }

    mutating func int() throws(JournalError) -> Int { Int(try int64()) }

    /// A number that counts or numbers something.
    mutating func count() throws(JournalError) -> Int {
        let number = try int()
        guard number >= 0 else { throw damage("is below 0") }
        return number
    }

    mutating func flag() throws(JournalError) -> Bool {
        switch try int64() {
        case 0: false
        case 1: true
        default: throw damage("is neither 0 nor 1")
        }
    }

    mutating func text() throws(JournalError) -> String {
        guard let text = try optionalText() else { throw damage("is missing") }
        return text
    }

    mutating func optionalText() throws(JournalError) -> String? {
        switch try take() {
        case .text(let text): return text
        case .null: return nil
        case .integer, .real, .blob: throw damage("is not a text")
        }
    }

    mutating func bytes() throws(JournalError) -> [UInt8] {
        guard let bytes = try optionalBytes() else { throw damage("is missing") }
        return bytes
    }

    mutating func optionalBytes() throws(JournalError) -> [UInt8]? {
        switch try take() {
        case .blob(let bytes): return bytes
        case .null: return nil
        case .integer, .real, .text: throw damage("is not bytes")
        }
    }

    mutating func optionalInt64() throws(JournalError) -> Int64? {
        switch try take() {
        case .integer(let number): return number
        case .null: return nil
        case .real, .text, .blob: throw damage("is not a whole number")
        }
    }

    // MARK: Our own kinds

    /// A case of one of our lists, by its number or text.
    mutating func coded<Case: RawRepresentable>(
        _ type: Case.Type = Case.self
    ) throws(JournalError) -> Case where Case.RawValue == Int {
        let number = try int()
        guard let value = Case(rawValue: number) else { throw damage("is \(number)") }
        return value
    }

    mutating func named<Case: RawRepresentable>(
        _ type: Case.Type = Case.self
    ) throws(JournalError) -> Case where Case.RawValue == String {
        guard let value = Case(rawValue: try text()) else { throw damage("is an unknown word") }
        return value
    }

    mutating func scope() throws(JournalError) -> Database.Scope {
        let number = try int()
        guard let scope = Database.Scope(number: number) else { throw damage("is \(number)") }
        return scope
    }

    mutating func container() throws(JournalError) -> Container.ID {
        guard let id = Container.ID(try text()) else { throw damage("is not a container") }
        return id
    }

    /// Containers, one a line.
    mutating func containers() throws(JournalError) -> [Container.ID] {
        var all: [Container.ID] = []
        for line in try lines() {
            guard let id = Container.ID(line) else { throw damage("contains no container") }
            all.append(id)
        }
        return all
    }

    mutating func lines() throws(JournalError) -> [String] {
        try text().split(separator: "\n").map(String.init)
    }

    mutating func timestamp() throws(JournalError) -> Timestamp {
        Timestamp(milliseconds: try int64())
    }

    mutating func optionalTimestamp() throws(JournalError) -> Timestamp? {
        try optionalInt64().map { Timestamp(milliseconds: $0) }
    }

    // MARK: Private

    private mutating func take() throws(JournalError) -> Value {
        guard next < values.count else { throw damage("is missing") }
        defer { next += 1 }
        return values[next]
    }

    private func damage(_ what: String) -> JournalError {
        JournalError(.corrupt, "the table \(table) is damaged: value \(next) of a row \(what)")
    }
}

extension Database.Scope {
    /// The number that stands for it in rows.
    var number: Int {
        switch self {
        case .private: 0
        case .shared: 1
        case .public: 2
        }
    }

    init?(number: Int) {
        guard let scope = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = scope
    }
}
