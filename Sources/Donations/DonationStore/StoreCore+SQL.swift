import SQLite

// Statements on the store's tables.
extension StoreCore {
    /// Runs one or more statements without values, whose rows nobody wants.
    func execute(_ sql: String) throws(DonationError) {
        try sqlite { () throws(SQLiteError) in try connection.execute(sql) }
    }

    /// Runs a statement whose rows nobody wants.
    func change(_ sql: String, _ values: Value...) throws(DonationError) {
        try change(sql, values: values)
    }

    /// Runs a statement whose rows nobody wants.
    func change(_ sql: String, values: [Value]) throws(DonationError) {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            statement.bind(values)
            try statement.run()
        }
    }

    /// The rows of a query, each made into a value.
    func read<Element>(
        _ sql: String, _ values: Value..., row: (Statement) throws(DonationError) -> Element
    ) throws(DonationError) -> [Element] {
        try read(sql, values: values, row: row)
    }

    /// The rows of a query, each made into a value.
    func read<Element>(
        _ sql: String, values: [Value], row: (Statement) throws(DonationError) -> Element
    ) throws(DonationError) -> [Element] {
        let statement = try sqlite { () throws(SQLiteError) in try connection.prepare(sql) }
        defer { statement.reset() }
        statement.bind(values)
        var elements: [Element] = []
        while try sqlite({ () throws(SQLiteError) in try statement.step() }) {
            elements.append(try row(statement))
        }
        return elements
    }

    /// The first column of a query's only row; 0 when there is none.
    func number(_ sql: String, _ values: Value...) throws(DonationError) -> Int64 {
        try read(sql, values: values) { $0.int64(at: 0) }.first ?? 0
    }

    /// The first column of a query's rows.
    func texts(_ sql: String, _ values: Value...) throws(DonationError) -> [String] {
        try texts(sql, values: values)
    }

    /// The first column of a query's rows.
    func texts(_ sql: String, values: [Value]) throws(DonationError) -> [String] {
        try read(sql, values: values) { $0.text(at: 0) }
    }

    /// Whether a query has a row.
    func isAny(_ sql: String, _ values: Value...) throws(DonationError) -> Bool {
        try !read(sql, values: values) { _ in true }.isEmpty
    }
}

extension Statement {
    /// Sets the parameters from 1 on.
    func bind(_ values: [Value]) {
        for (index, value) in values.enumerated() { bind(index + 1, value) }
    }
}
