import OpenSSL
import SQLite

/// The chain of events of a run. Its head and count stand in the run's row, written in the same
/// transaction, so that a chain whose end was cut off is found out.
struct EventTable {
    static let root = [UInt8](repeating: 0, count: 32)

    let connection: Connection
    let run: Int64

    /// Adds an event to the end of the chain.
    func append(_ body: [UInt8]) throws(JournalError) {
        let (count, head) = try stored()
        let next = SHA256.hash(head + body)
        try connection.change(
            "INSERT INTO events(run, number, body, hash) VALUES (?, ?, ?, ?)", .integer(run),
            .int(count), .blob(body), .blob(next))
        try connection.change(
            "UPDATE runs SET events = ?, head = ? WHERE key = ?", .int(count + 1), .blob(next),
            .integer(run))
    }

    /// Up to `limit` events from `number` on.
    func page(from number: Int, limit: Int) throws(JournalError) -> [EventRow] {
        try connection.list(
            "events",
            "SELECT number, body, hash FROM events WHERE run = ? AND number >= ?"
                + " ORDER BY number LIMIT ?", .integer(run), .int(number), .int(limit)
        ) { row throws(JournalError) in
            try EventRow(number: row.int(), body: row.bytes(), hash: row.bytes())
        }
    }

    /// Recomputes the chain.
    ///
    /// - Throws: `chainBroken` when an event is missing, was changed, or stands beyond the end.
    func verify() throws(JournalError) -> (count: Int, head: [UInt8]) {
        var head = Self.root
        var count = 0
        while true {
            let page = try page(from: count, limit: 500)
            for event in page {
                head = SHA256.hash(head + event.body)
                guard event.number == count, event.hash == head else {
                    throw JournalError(.chainBroken, "event \(count) of the run does not fit")
                }
                count += 1
            }
            if page.isEmpty { break }
        }
        let stored = try stored()
        guard count == stored.count else {
            throw JournalError(
                .chainBroken,
                count < stored.count
                    ? "events are missing at the end of the run: \(count) of \(stored.count) "
                        + "are there"
                    : "the run has \(count) events where \(stored.count) were written")
        }
        guard head == stored.head else {
            throw JournalError(
                .chainBroken,
                "the last event of the run is not the one that was written")
        }
        return (count, head)
    }

    private func stored() throws(JournalError) -> (count: Int, head: [UInt8]) {
        let rows = try connection.list(
            "runs", "SELECT events, head FROM runs WHERE key = ?", .integer(run)
        ) { row throws(JournalError) in (try row.count(), try row.bytes()) }
        guard let row = rows.first else {
            throw JournalError(.noSuchRun, "there is no such run")
        }
        return row
    }
}
