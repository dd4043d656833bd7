import PostgreSQL

/// What an operator sees of a request: no name, and nothing of what was asked.
package struct RequestRow: Sendable, Hashable {
    package let id: Int64
    package let state: RequestState
    package let attempt: Int64
    /// Exit status of the last attempt that ended; nil: none did.
    package let status: Int64?
    /// When it has to be done by, in microseconds since 1970.
    package let due: Int64
    /// Whether that time is over, by the database's clock, and it is still open.
    package let isOverdue: Bool
}

extension ErasureQueue {
    /// Takes a request in, once: the same for the same person that is still open is found again.
    ///
    /// - Parameters:
    ///   - person: Whose data is to go. Stands in the database as a keyed digest.
    ///   - order: What a worker needs to do it. Stands there sealed, until the request has ended.
    ///   - received: When the person asked, and
    ///   - due: when it has to be done by; both in microseconds since 1970. The earliest comes first.
    /// - Returns: The number of the request, and whether it is new.
    package func add(
        person: String, order: [UInt8], received: Int64, due: Int64
    ) async throws(QueueError) -> (id: Int64, isNew: Bool) {
        guard order.count <= Self.orderBytesMax else {
            throw QueueError(.tooLarge, "the limit for an order is \(Self.orderBytesMax) bytes")
        }
        let digest = seal.digest(Array(person.utf8), of: "person")
        let content = seal.digest(order, of: "order")
        let insert = Statement(
            """
            INSERT INTO requests (person, content, sealed, received, due) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (person, content) WHERE state IN (0, 1, 3) DO NOTHING RETURNING id
            """, .bytes(digest), .bytes(content),
            .bytes(seal.seal(order, for: digest, as: "order")), .time(microseconds: received),
            .time(microseconds: due))
        let find = Statement(
            "SELECT id FROM requests WHERE person = $1 AND content = $2 AND state IN (0, 1, 3)",
            .bytes(digest), .bytes(content))
        let answers = try await run([insert, find])
        if let new = answers[0].first {
            return (try Self.read { () throws(PostgreSQLError) in try new.integer(0) }, true)
        }
        guard let old = answers[1].first else {
            // It ended between the two statements.
            throw QueueError(.wrongState, "the request ended just now; add it again")
        }
        return (try Self.read { () throws(PostgreSQLError) in try old.integer(0) }, false)
    }

    /// Requests after `id`, in the order of their numbers.
    package func requests(
        after id: Int64 = 0, limit: Int = 1_000
    ) async throws(QueueError) -> [RequestRow] {
        let rows = try await run([
            Statement(
                """
                SELECT id, state, attempt, status, due,
                    due < clock_timestamp() AND state IN (0, 1, 3)
                FROM requests WHERE id > $1 ORDER BY id LIMIT $2
                """, .integer(id), .integer(Int64(limit)))
        ])[0]
        return try rows.map { (row) throws(QueueError) in try Self.requestRow(row) }
    }

    private static func requestRow(_ row: Row) throws(QueueError) -> RequestRow {
        let (state, facts) = try read { () throws(PostgreSQLError) in
            (
                RequestState(rawValue: try row.integer(1)),
                (
                    id: try row.integer(0), attempt: try row.integer(2),
                    status: try row.values[3] == .null ? nil : row.integer(3),
                    due: try row.microseconds(4), isOverdue: try row.bool(5)
                )
            )
        }
        guard let state else {
            throw QueueError(.unreadable, "request \(facts.id) has an unknown state")
        }
        return RequestRow(
            id: facts.id, state: state, attempt: facts.attempt, status: facts.status,
            due: facts.due, isOverdue: facts.isOverdue)
    }

    /// The evidence of a settled request; nil while it is not settled.
    package func evidence(_ id: Int64) async throws(QueueError) -> [UInt8]? {
        let rows = try await run([
            Statement("SELECT person, evidence FROM requests WHERE id = $1", .integer(id))
        ])[0]
        guard let row = rows.first else {
            throw QueueError(.noSuchRequest, "there is no request \(id)")
        }
        guard row.values.last != .null else { return nil }
        let (person, box) = try Self.read { () throws(PostgreSQLError) in
            (try row.bytes(0), try row.bytes(1))
        }
        return try seal.open(box, for: person, as: "evidence")
    }

    /// Withdraws a request that nobody holds; what was asked, and the notes, go from the database.
    package func cancel(_ id: Int64) async throws(QueueError) {
        try await change(
            id, "withdrawn",
            """
            UPDATE requests SET state = 4, sealed = NULL, ended = clock_timestamp()
            WHERE id = $1 AND state IN (0, 3) RETURNING id
            """,
            // A statement of its own, so that it sees notes of a lease that has just ended.
            and: [
                Statement(
                    """
                    DELETE FROM notes WHERE request = $1
                        AND EXISTS (SELECT FROM requests WHERE id = $1 AND state = 4)
                    """, .integer(id))
            ])
    }

    /// Has a parked request tried again, as often as a new one.
    package func retry(_ id: Int64) async throws(QueueError) {
        try await change(
            id, "tried again",
            """
            UPDATE requests SET state = 0, attempt = 0, not_before = '-infinity'
            WHERE id = $1 AND state = 3 RETURNING id
            """)
    }

    private func change(
        _ id: Int64, _ words: String, _ sql: String, and more: [Statement] = []
    ) async throws(QueueError) {
        let answers = try await run(
            [
                Statement(sql, .integer(id)),
                Statement("SELECT state FROM requests WHERE id = $1", .integer(id)),
            ] + more)
        guard answers[0].isEmpty else { return }
        guard let row = answers[1].first else {
            throw QueueError(.noSuchRequest, "there is no request \(id)")
        }
        let state = try Self.read { () throws(PostgreSQLError) in try row.integer(0) }
        let name = RequestState(rawValue: state).map { "\($0)" } ?? "in an unknown state"
        throw QueueError(.wrongState, "request \(id) is \(name), and cannot be \(words)")
    }
}
