import CloudModel
import SQLite

extension MockStore {
    /// What every database holds now, to be put back later. Users, sign-outs, restrictions and
    /// schemas are not part of it.
    package func snapshot() throws(MockStoreError) -> MockSnapshot {
        try stored { () throws(CloudError) in
            try writeDown()
            var rows: [String: [[Value]]] = [:]
            for table in MockSnapshot.tables {
                rows[table] = try tables.rows("SELECT * FROM \(table)")
            }
            return MockSnapshot(seed: seed, epoch: epoch, rows: rows)
        }
    }

    /// Puts back what a snapshot holds, as when a server is restored from a backup.
    ///
    /// The counters behind tags, incarnations and shares are not turned back, so that nothing
    /// has a name that something else had. Tokens given out since the snapshot expire; those of
    /// before go on.
    package func restore(_ snapshot: MockSnapshot) throws(MockStoreError) {
        guard snapshot.seed == seed else {
            throw MockStoreError(.failed, "the snapshot is of another service")
        }
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try writeDown()
            let counters = try tables.rows("SELECT * FROM databases")
            for table in MockSnapshot.tables {
                try tables.run("DELETE FROM \(table)")
                for row in snapshot.rows[table] ?? [] {
                    let marks = row.map { _ in "?" }.joined(separator: ", ")
                    try tables.run("INSERT INTO \(table) VALUES (\(marks))", values: row)
                }
            }
            try keepTags(counters)
            try beginEpoch(after: snapshot.epoch)
        }
        try readAnew()
    }

    /// No tag is given twice, not even in a database that the snapshot does not know.
    private func keepTags(_ rows: [[Value]]) throws(CloudError) {
        for row in rows {
            guard row.count == 8 else { throw tables.damaged() }
            try tables.run(
                "UPDATE databases SET tag = max(tag, ?) WHERE id = ?", row[7], row[0])
            guard tables.connection.changes == 0 else { continue }
            // Empty, and no token of before is good.
            var row = row
            row[6] = row[5]
            try tables.run("INSERT INTO databases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values: row)
        }
    }

    /// Begins a history of its own, which leaves the one of `parent` where each feed is now.
    private func beginEpoch(after parent: UInt32) throws(CloudError) {
        let last = try tables.rows("SELECT max(epoch) FROM epochs").first?.first?.int64 ?? 0
        let next = max(last, Int64(epoch)) + 1
        try tables.run(
            "INSERT INTO epochs VALUES (?, ?)", .integer(next), .integer(Int64(parent)))
        try tables.run(
            """
            INSERT OR REPLACE INTO branches
            SELECT ?1, incarnation, seq FROM zones WHERE live = 1 AND seq > 0
            """, .integer(next))
        try tables.run(
            """
            INSERT OR REPLACE INTO branches
            SELECT ?1, shares.id, zones.seq FROM shares
            JOIN databases ON databases.scope = 'private' AND databases.user = shares.owner
                AND databases.container = shares.container
                AND databases.environment = shares.environment
            JOIN zones ON zones.db = databases.id AND zones.name = shares.zone
            """, .integer(next))
        try tables.run(
            "INSERT OR REPLACE INTO branches SELECT ?1, -id, seq FROM databases",
            .integer(next))
        try tables.setMeta("epoch", next)
    }

    /// Whether what a token of some epoch has seen is part of the history of now.
    ///
    /// - Parameter place: A zone's incarnation, a share's number, or a database's ID negated.
    func isHistory(
        _ epoch: UInt32, place: Int64, upTo position: Int64
    ) throws(CloudError) -> Bool {
        var (ours, theirs) = (Int64(self.epoch), Int64(epoch))
        // A history begins later than the one it leaves: both ways lead to where they meet.
        while ours != theirs {
            let later = max(ours, theirs)
            let rows = try tables.rows(
                """
                SELECT parent, seq FROM epochs
                LEFT JOIN branches ON branches.epoch = epochs.epoch AND place = ?2
                WHERE epochs.epoch = ?1
                """, .integer(later), .integer(place))
            guard let row = rows.first, let parent = row[0].int64, parent < later,
                position <= row[1].int64 ?? 0
            else { return false }
            if ours == later { ours = parent } else { theirs = parent }
        }
        return true
    }
}
