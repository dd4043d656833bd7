import SQLite

/// The parts of an export under way, with the records that were taken in of each.
struct TakenParts {
    let file: ExportStateFile
    let assets: TakenAssets

    /// Begins or goes on with a part, and says after which token its feed is to be read.
    func open(_ part: ExportPart) throws(ExportError) -> (id: Int64, token: String?) {
        try file.reading { () throws(SQLiteError) in
            let insert = try file.connection.prepare(
                """
                INSERT INTO part(container, scope, kind, zone, owner, attempt)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET attempt = excluded.attempt RETURNING id, token
                """)
            defer { insert.reset() }
            insert.bind(1, part.container.rawValue)
            insert.bind(2, part.scope.rawValue)
            insert.bind(3, part.kind.rawValue)
            insert.bind(4, part.zone)
            insert.bind(5, part.owner)
            insert.bind(6, file.attempt)
            guard try insert.step() else { preconditionFailure("nothing is returned") }
            let found = (id: insert.int64(at: 0), token: insert.optionalText(at: 1))
            while try insert.step() {}
            return found
        }
    }

    /// Forgets what was taken in of a part.
    func clear(_ part: Int64) throws(ExportError) {
        try file.reading { () throws(SQLiteError) in
            try file.connection.transaction { () throws(SQLiteError) in
                try file.connection.run("DELETE FROM record WHERE part = ?", .integer(part))
                try file.connection.run("UPDATE part SET token = NULL WHERE id = ?", .integer(part))
            }
        }
    }

    /// Takes in a page as a whole, with the token behind it.
    ///
    /// - Parameter token: nil: the part has none.
    func take(
        _ items: [ExportItem], without gone: [String], token: String?, into part: Int64
    ) throws(ExportError) {
        try file.reading { () throws(SQLiteError) in
            try file.connection.transaction { () throws(SQLiteError) in
                for name in gone { try remove(name, from: part) }
                for item in items { try put(item, into: part) }
                if let token {
                    try file.connection.run(
                        "UPDATE part SET token = ? WHERE id = ?", .text(token), .integer(part))
                }
            }
        }
    }

    private func remove(_ name: String, from part: Int64) throws(SQLiteError) {
        for table in ["record", "asset"] {
            try file.connection.run(
                "DELETE FROM \(table) WHERE part = ? AND name = ?", .integer(part), .text(name))
        }
    }

    private func put(_ item: ExportItem, into part: Int64) throws(SQLiteError) {
        try remove(item.name, from: part)
        try file.connection.run(
            "INSERT INTO record(part, name, type, line, attempt) VALUES (?, ?, ?, ?, ?)",
            .integer(part), .text(item.name), .text(item.type), .blob(item.line),
            .integer(file.attempt))
        for (slot, asset) in item.assets {
            try assets.note(asset.stored, as: asset.checksum, at: slot, of: item.name, in: part)
        }
    }
}
