import SQLite

/// What a run's looks saw.
///
/// A row's key is what makes it the same: where a kind is the same by name, its zone and type
/// stand beside the key.
struct SeenTable {
    let connection: Connection
    let run: Int64

    private static let key = "container, scope, kind, zone, type, name"
    private static let columns =
        "container, scope, kind, coalesce(its_zone, zone), coalesce(its_type, type), name,"
        + " detail, kept"
    /// Binds the key to ?3 to ?8.
    private static let matches =
        "run = ?1 AND look = ?2 AND container = ?3 AND scope = ?4 AND kind = ?5 AND zone = ?6"
        + " AND type = ?7 AND name = ?8"
    /// Whether `other` is about the same thing as `seen`.
    private static let isSame =
        "other.run = seen.run AND other.container = seen.container"
        + " AND other.scope = seen.scope AND other.kind = seen.kind AND other.zone = seen.zone"
        + " AND other.type = seen.type AND other.name = seen.name"

    // MARK: Writing

    func insert(_ rows: [SeenRow], _ look: Look) throws(JournalError) {
        try each(
            rows, look,
            "INSERT OR IGNORE INTO seen(run, look, \(Self.key), detail, kept, its_zone, its_type)"
                + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        ) { statement, row throws(SQLiteError) in
            statement.bind(9, row.detail)
            statement.bind(10, row.isKept)
            statement.bind(11, row.kind.isSameByName ? row.zone : nil)
            statement.bind(12, row.kind.isSameByName ? row.type : nil)
            try statement.run()
        }
    }

    func setDetail(_ row: SeenRow, _ look: Look) throws(JournalError) {
        try each(
            [row], look, "UPDATE seen SET detail = ?9 WHERE \(Self.matches)"
        ) { statement, row throws(SQLiteError) in
            statement.bind(9, row.detail)
            try statement.run()
        }
        guard connection.changes == 1 else { throw Self.notSeen }
    }

    /// Marks rows as kept.
    ///
    /// - Throws: `illegalMove` when one of them was not seen: what a rule keeps must not get lost.
    func keep(_ rows: [SeenRow], _ look: Look) throws(JournalError) {
        var marked = 0
        try each(
            rows, look, "UPDATE seen SET kept = 1 WHERE \(Self.matches)"
        ) { statement, _ throws(SQLiteError) in
            try statement.run()
            marked += connection.changes
        }
        guard marked == rows.count else { throw Self.notSeen }
    }

    func forget(_ look: Look) throws(JournalError) {
        for table in ["seen", "links"] {
            try connection.change(
                "DELETE FROM \(table) WHERE run = ? AND look = ?", .integer(run),
                .int(look.rawValue))
        }
    }

    // MARK: Reading

    /// Up to `limit` rows of a look after `row`, sorted.
    func page(_ look: Look, after row: SeenRow?, limit: Int) throws(JournalError) -> [SeenRow] {
        let from = row.map(Self.values) ?? [.int(-1), .int(0), .int(0), "", "", ""]
        return try connection.list(
            "seen",
            "SELECT \(Self.columns) FROM seen WHERE run = ? AND look = ?"
                + " AND (\(Self.key)) > (?, ?, ?, ?, ?, ?) ORDER BY \(Self.key) LIMIT ?",
            .integer(run), .int(look.rawValue), from[0], from[1], from[2], from[3], from[4],
            from[5], .int(limit), make: Self.row)
    }

    /// Those of `rows` that the look saw and that are not kept.
    func deletable(_ rows: [SeenRow], _ look: Look) throws(JournalError) -> [SeenRow] {
        try those(of: rows, look, " AND kept = 0")
    }

    /// Those of `rows` that the look saw.
    func seen(_ rows: [SeenRow], _ look: Look) throws(JournalError) -> [SeenRow] {
        try those(of: rows, look, "")
    }

    private func those(
        of rows: [SeenRow], _ look: Look, _ condition: String
    ) throws(JournalError) -> [SeenRow] {
        var found: [SeenRow] = []
        try each(
            rows, look, "SELECT 1 FROM seen WHERE \(Self.matches)\(condition)"
        ) { statement, row throws(SQLiteError) in
            if try statement.step() { found.append(row) }
        }
        return found
    }

    /// What the verification saw of what was planned and is not kept.
    func leftOfPlan() throws(JournalError) -> [SeenCount] {
        try connection.list(
            "seen",
            "SELECT container, scope, kind, type, count(*) FROM seen WHERE run = ? AND look = ?"
                + " AND kept = 0 AND EXISTS (SELECT 1 FROM seen other WHERE other.look = ?"
                + " AND other.kept = 0 AND \(Self.isSame)) GROUP BY container, scope, kind, type",
            .integer(run), .int(Look.verification.rawValue), .int(Look.planned.rawValue),
            make: Self.count)
    }

    func counts(_ look: Look) throws(JournalError) -> [SeenCount] {
        try connection.list(
            "seen",
            "SELECT container, scope, kind, type, count(*) FROM seen WHERE run = ? AND look = ?"
                + " GROUP BY container, scope, kind, type", .integer(run), .int(look.rawValue),
            make: Self.count)
    }

    /// What is there now, could be planned, is not kept, and was not planned.
    func unplanned() throws(JournalError) -> [SeenCount] {
        let plannable = ItemKind.allCases.filter(\.isPlannable).map { "\($0.rawValue)" }
            .joined(separator: ", ")
        return try connection.list(
            "seen",
            "SELECT container, scope, kind, type, count(*) FROM seen WHERE run = ? AND look = ?"
                + " AND kept = 0 AND kind IN (\(plannable)) AND NOT EXISTS (SELECT 1"
                + " FROM seen other WHERE other.look = ? AND other.kept = 0 AND \(Self.isSame))"
                + " GROUP BY container, scope, kind, type", .integer(run),
            .int(Look.fresh.rawValue), .int(Look.planned.rawValue), make: Self.count)
    }

    // MARK: Private

    /// Runs a statement for each row, with the row's key bound to ?1 to ?8.
    private func each(
        _ rows: [SeenRow], _ look: Look, _ sql: String,
        _ body: (Statement, SeenRow) throws(SQLiteError) -> Void
    ) throws(JournalError) {
        do throws(SQLiteError) {
            for row in rows {
                let statement = try connection.prepare(sql)
                defer { statement.reset() }
                statement.bind(1, run)
                statement.bind(2, look.rawValue)
                for (index, value) in Self.values(row).enumerated() {
                    statement.bind(index + 3, value)
                }
                try body(statement, row)
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// The key of a row.
    private static func values(_ row: SeenRow) -> [Value] {
        [
            .int(row.container), .scope(row.scope), .int(row.kind.rawValue),
            .text(row.kind.isSameByName ? "" : row.zone),
            .text(row.kind.isSameByName ? "" : row.type), .text(row.name),
        ]
    }

    private static func row(_ row: inout Fields) throws(JournalError) -> SeenRow {
        try SeenRow(
            container: row.count(), scope: row.scope(), kind: row.coded(), zone: row.text(),
            type: row.text(), name: row.text(), detail: row.int(), isKept: row.flag())
    }

    private static func count(_ row: inout Fields) throws(JournalError) -> SeenCount {
        try SeenCount(
            container: row.count(), scope: row.scope(), kind: row.coded(), type: row.text(),
            count: row.count())
    }

    private static let notSeen = JournalError(
        .illegalMove, "cannot mark a row that the scan did not see")
}
