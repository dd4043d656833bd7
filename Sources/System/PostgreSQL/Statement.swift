/// One SQL statement with its values. Compiled once a connection, by its text and the types of its values.
package struct Statement: Sendable, Hashable {
    package let sql: String
    package let values: [Value]

    package init(_ sql: String, _ values: Value...) { self.init(sql, values: values) }

    package init(_ sql: String, values: [Value]) {
        self.sql = sql
        self.values = values
    }

    /// What the server compiles.
    struct Form: Hashable {
        let sql: String
        let types: [UInt32]
    }
    var form: Form { Form(sql: sql, types: values.map(\.type)) }

    /// Bytes on the wire, about.
    var byteCount: Int { sql.utf8.count + values.reduce(0) { $0 + ($1.encoded?.count ?? 0) + 8 } }
}
