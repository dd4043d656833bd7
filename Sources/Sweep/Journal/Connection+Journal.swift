import Basics
import CloudModel
import SQLite

extension Connection {
    /// Runs a statement whose rows nobody wants.
    func change(_ sql: String, _ values: Value...) throws(JournalError) {
        do throws(SQLiteError) {
            let statement = try prepare(sql)
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            try statement.run()
        } catch {
            throw JournalError(error)
        }
    }

    /// Every row of a query, each made into something.
    ///
    /// - Parameter table: For the words of an error.
    func list<Element>(
        _ table: String, _ sql: String, _ values: Value...,
        make: (inout Fields) throws(JournalError) -> Element
    ) throws(JournalError) -> [Element] {
        var rows: [[Value]] = []
        do throws(SQLiteError) {
            let statement = try prepare(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
            }
        } catch {
            throw JournalError(error)
        }
        var made: [Element] = []
        made.reserveCapacity(rows.count)
        for row in rows {
            var fields = Fields(row, of: table)
            made.append(try make(&fields))
        }
        return made
    }
}

extension Value {
    static func int(_ number: Int) -> Value { .integer(Int64(number)) }
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
    static func scope(_ scope: Database.Scope) -> Value { .int(scope.number) }
    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func time(_ time: Timestamp) -> Value { .integer(time.milliseconds) }
}
