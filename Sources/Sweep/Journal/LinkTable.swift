import SQLite

/// References among what a look saw, and what a deletion takes along.
struct LinkTable {
    let connection: Connection
    let run: Int64

    func insert(_ rows: [LinkRow], _ look: Look) throws(JournalError) {
        for row in rows {
            try connection.change(
                "INSERT OR IGNORE INTO links(run, look, container, scope, zone, target, name,"
                    + " type, others) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(run),
                .int(look.rawValue), .int(row.container), .scope(row.scope), .text(row.zone),
                .text(row.target), .text(row.name), .text(row.type), .flag(row.isOthers))
        }
    }

    /// What deleting all that is not kept would take along although a rule keeps it, or although
    /// it is another person's.
    ///
    /// Works its way up from the deleted records, one reference at a time, so that each record is
    /// met by a shortest way, once: circles end.
    func cascade(
        _ look: Look, limit: Int
    ) throws(JournalError) -> (rows: [CascadeRow], counts: [CascadeCount]) {
        try connection.change("DROP TABLE IF EXISTS temp.reached")
        try connection.change(Self.table)
        try connection.change("CREATE INDEX temp.reached_by_distance ON reached(distance)")
        try connection.change(Self.firstSQL, .integer(run), .int(look.rawValue))
        var distance = 1
        while connection.changes > 0 {
            distance += 1
            try connection.change(
                Self.nextSQL, .integer(run), .int(look.rawValue), .int(distance))
        }
        let (rows, counts) = (try rows(limit: limit), try counts())
        try connection.change("DROP TABLE temp.reached")
        return (rows, counts)
    }

    /// Records that go along, and by how many references.
    private static let table = """
        CREATE TEMP TABLE reached(
          container INTEGER, scope INTEGER, zone TEXT, name TEXT, type TEXT, others INTEGER,
          kept INTEGER, via TEXT, distance INTEGER,
          PRIMARY KEY(container, scope, zone, name)) WITHOUT ROWID
        """

    private static let recordKinds = ItemKind.allCases.filter(\.isRecord)
        .map { "\($0.rawValue)" }.joined(separator: ", ")

    /// What is taken in: whether a rule keeps it is told by its own row.
    private static let taken = """
        INSERT OR IGNORE INTO temp.reached SELECT links.container, links.scope, links.zone,
          links.name, links.type, links.others, EXISTS (SELECT 1 FROM seen WHERE run = ?1
            AND look = ?2 AND seen.container = links.container AND seen.scope = links.scope
            AND seen.kind IN (\(recordKinds)) AND seen.zone = links.zone
            AND seen.type = links.type AND seen.name = links.name AND seen.kept = 1),
          links.target
        """

    /// What refers to a record that is deleted by its name. In a zone that goes as a whole no
    /// reference is looked at.
    private static let firstSQL = """
        WITH sorts AS MATERIALIZED (
          SELECT DISTINCT container, scope, kind, zone, type FROM seen
          WHERE run = ?1 AND look = ?2 AND kind IN (\(recordKinds)))
        \(taken), 1 FROM sorts CROSS JOIN links CROSS JOIN seen target
        WHERE links.run = ?1 AND links.look = ?2 AND links.container = sorts.container
          AND links.scope = sorts.scope AND links.zone = sorts.zone
          AND target.run = ?1 AND target.look = ?2 AND target.container = sorts.container
          AND target.scope = sorts.scope AND target.kind = sorts.kind
          AND target.zone = sorts.zone AND target.type = sorts.type
          AND target.name = links.target AND target.kept = 0
          AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.run = ?1 AND seen.look = ?2
            AND seen.container = links.container AND seen.scope = links.scope
            AND seen.kind = \(ItemKind.zone.rawValue) AND seen.zone = links.zone
            AND seen.kept = 0)
        ORDER BY links.target
        """

    /// What refers to a record that goes along.
    private static let nextSQL = """
        \(taken), ?3 FROM temp.reached
        CROSS JOIN links ON links.run = ?1 AND links.look = ?2
          AND links.container = reached.container AND links.scope = reached.scope
          AND links.zone = reached.zone AND links.target = reached.name
        WHERE reached.distance = ?3 - 1 ORDER BY links.target
        """

    /// A record that is deleted itself does not go along with another.
    private static let matters = "others = 1 OR kept = 1"

    private func counts() throws(JournalError) -> [CascadeCount] {
        try connection.list(
            "links",
            "SELECT container, scope, others, count(*) FROM temp.reached WHERE \(Self.matters)"
                + " GROUP BY container, scope, others"
        ) { row throws(JournalError) in
            try CascadeCount(
                container: row.count(), scope: row.scope(), isOthers: row.flag(),
                count: row.count())
        }
    }

    private func rows(limit: Int) throws(JournalError) -> [CascadeRow] {
        let rows = try connection.list(
            "links",
            "SELECT container, scope, zone, type, name, others, kept, distance, via"
                + " FROM temp.reached WHERE \(Self.matters)"
                + " ORDER BY container, scope, zone, name LIMIT ?", .int(limit)
        ) { row throws(JournalError) in
            try CascadeRow(
                container: row.count(), scope: row.scope(), zone: row.text(), type: row.text(),
                name: row.text(), isOthers: row.flag(), isKept: row.flag(),
                distance: row.count(), chain: [row.text()])
        }
        var whole: [CascadeRow] = []
        for row in rows { whole.append(try withChain(row)) }
        return whole
    }

    /// Follows the way to the deleted record.
    private func withChain(_ row: CascadeRow) throws(JournalError) -> CascadeRow {
        var chain = row.chain
        while chain.count < min(row.distance, CascadeRow.chainMax), let last = chain.last {
            let next = try connection.list(
                "links",
                "SELECT via FROM temp.reached WHERE container = ? AND scope = ? AND zone = ?"
                    + " AND name = ?", .int(row.container), .scope(row.scope), .text(row.zone),
                .text(last)
            ) { row throws(JournalError) in try row.text() }
            guard let via = next.first else { break }
            chain.append(via)
        }
        return CascadeRow(
            container: row.container, scope: row.scope, zone: row.zone, type: row.type,
            name: row.name, isOthers: row.isOthers, isKept: row.isKept, distance: row.distance,
            chain: chain)
    }
}
