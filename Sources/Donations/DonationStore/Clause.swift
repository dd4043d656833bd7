import SQLite

/// A condition on the rows of one table, with the values it asks for.
struct Clause {
    var sql: String
    var values: [Value]

    init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }

    init(_ sql: String, values: [Value]) {
        self.sql = sql
        self.values = values
    }

    static let all = Clause("1")
    /// Rows that do not wait for the item they belong to.
    static let unparked = Clause("parked IS NULL")

    /// Both conditions.
    func and(_ other: Clause) -> Clause {
        Clause("(\(sql)) AND (\(other.sql))", values: values + other.values)
    }

    /// This condition where none of the others holds.
    func butNot(_ others: [Clause]) -> Clause {
        others.reduce(self) { clause, other in
            Clause(
                "(\(clause.sql)) AND (\(other.sql)) IS NOT TRUE",
                values: clause.values + other.values)
        }
    }

    /// Sets the parameters from 1 on.
    ///
    /// - Returns: The number of the next parameter.
    func bind(to statement: Statement) -> Int {
        statement.bind(values)
        return values.count + 1
    }
}
