import SQLite

/// One event of a run's evidence chain.
package struct EventRow: Sendable, Hashable {
    package let number: Int
    package let body: [UInt8]
    /// SHA-256 over the hash before it and the body; the first stands on 32 zero bytes.
    package let hash: [UInt8]
}

extension Journal {
    static let chainRoot = [UInt8](repeating: 0, count: 32)

    /// Adds an event to the end of the run's chain.
    func append(
        event body: [UInt8], run: Int64, _ connection: Connection
    ) throws(JournalError) {
        var (count, head) = try chain(run: run, connection)
        head = digest(head + body)
        do throws(SQLiteError) {
            let statement = try connection.prepare("INSERT INTO events VALUES (?, ?, ?, ?)")
            statement.bind(1, run)
            statement.bind(2, count)
            statement.bind(3, body)
            statement.bind(4, head)
            try statement.run()
        } catch {
            throw JournalError(error)
        }
        count += 1
        chains[run] = (count, head)
    }

    private func chain(
        run: Int64, _ connection: Connection
    ) throws(JournalError) -> (count: Int, head: [UInt8]) {
        if let known = chains[run] { return known }
        do throws(SQLiteError) {
            let last = try connection.rows(
                "SELECT number, hash FROM events WHERE run = ? ORDER BY number DESC LIMIT 1",
                .integer(run))
            guard let row = last.first else { return (0, Self.chainRoot) }
            return (Int(row[0].int64 ?? 0) + 1, row[1].bytes ?? [])
        } catch {
            throw JournalError(error)
        }
    }

    /// Up to `limit` events from `number` on.
    package func events(
        run: Int64, from number: Int, limit: Int = 500
    ) throws(JournalError) -> [EventRow] {
        let connection = try connection()
        do throws(SQLiteError) {
            return try connection.rows(
                "SELECT number, body, hash FROM events WHERE run = ? AND number >= ?"
                    + " ORDER BY number LIMIT ?", .integer(run), .integer(Int64(number)),
                .integer(Int64(limit))
            ).map {
                EventRow(
                    number: Int($0[0].int64 ?? 0), body: $0[1].bytes ?? [],
                    hash: $0[2].bytes ?? [])
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Recomputes the chain of a run.
    ///
    /// - Returns: the hash of the last event and how many there are.
    /// - Throws: `chainBroken` when an event is missing or was changed.
    package func verifyChain(run: Int64) throws(JournalError) -> (count: Int, head: [UInt8]) {
        var head = Self.chainRoot
        var count = 0
        while true {
            let page = try events(run: run, from: count)
            for event in page {
                head = digest(head + event.body)
                guard event.number == count, event.hash == head else {
                    throw JournalError(.chainBroken, "event \(count) of the run does not fit")
                }
                count += 1
            }
            if page.isEmpty { return (count, head) }
        }
    }
}
