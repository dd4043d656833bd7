import CloudModel
import SQLite

extension TakenParts {
    /// Calls `body` with every part, in order.
    func eachPart(
        _ body: (Int64, ExportPart) throws(ExportError) -> Void
    ) throws(ExportError) {
        var last: Int64 = 0
        while true {
            let rows = try file.reading { () throws(SQLiteError) in
                try file.connection.rows(
                    """
                    SELECT id, container, scope, kind, zone, owner FROM part
                    WHERE id > ? ORDER BY id LIMIT 100
                    """, .integer(last))
            }
            guard !rows.isEmpty else { return }
            for row in rows {
                guard case .integer(let id) = row[0], let part = ExportPart(row.dropFirst()) else {
                    throw ExportError(
                        .damaged,
                        "\(ExportPath.state) contains data that this tool did not write")
                }
                try body(id, part)
                last = id
            }
        }
    }

    /// Calls `body` with the line of every record of a part, sorted by name as bytes.
    func eachLine(
        of part: Int64, _ body: ([UInt8], _ type: String) throws(ExportError) -> Void
    ) throws(ExportError) {
        let select = try file.reading { () throws(SQLiteError) in
            try file.connection.prepare(
                "SELECT line, type FROM record WHERE part = ? ORDER BY name")
        }
        defer { select.reset() }
        select.bind(1, part)
        while try file.reading({ () throws(SQLiteError) in try select.step() }) {
            try body(select.bytes(at: 0), select.text(at: 1))
        }
    }
}

extension ExportPart {
    /// Reads a row of the table.
    fileprivate init?(_ row: ArraySlice<Value>) {
        let texts = row.compactMap { value -> String? in
            if case .text(let text) = value { text } else { nil }
        }
        guard texts.count == 5, let container = Container.ID(texts[0]),
            let scope = Database.Scope(rawValue: texts[1]), let kind = Kind(rawValue: texts[2])
        else { return nil }
        self.init(kind, in: container, scope, zone: texts[3], owner: texts[4])
    }
}
