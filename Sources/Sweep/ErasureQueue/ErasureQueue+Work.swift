import PostgreSQL

/// What workers do; the names are those of `Tests/Model/queue.pml`.
extension ErasureQueue {
    /// Makes a worker known.
    package func enroll(_ worker: WorkerID) async throws(QueueError) {
        _ = try await run([
            Statement(
                "INSERT INTO workers (id, seen) VALUES ($1, clock_timestamp())",
                .bytes(worker.bytes))
        ])
    }

    /// Says that a worker lives.
    ///
    /// - Throws: `declaredDead`: all that it held is another's, or will be.
    package func beat(_ worker: WorkerID) async throws(QueueError) {
        // On disk before it is answered: the worker counts from it, also when the server is killed.
        _ = try await run([alive(worker)])
    }

    /// Leases the request that is due first, of those whose person nobody holds.
    ///
    /// A claim is a heartbeat, too.
    ///
    /// - Returns: nil when there is nothing to do now.
    /// - Throws: `unreadable` when the order is sealed with another key: it was given back then, as after a
    ///   failed attempt, and ``QueueError/request`` names it.
    package func claim(_ worker: WorkerID) async throws(QueueError) -> Lease? {
        // MATERIALIZED: the planner could run a sub-select more than once, and so lease too many.
        let claim = Statement(
            """
            WITH next AS MATERIALIZED (
                SELECT id FROM requests AS r
                WHERE state = 0 AND not_before <= clock_timestamp()
                    AND NOT EXISTS (
                        SELECT FROM requests AS h WHERE h.person = r.person AND h.state = 1)
                ORDER BY due, id LIMIT 1 FOR UPDATE SKIP LOCKED)
            UPDATE requests AS r
            SET state = 1, holder = $1, fence = fence + 1, attempt = attempt + 1
            FROM next WHERE r.id = next.id
            RETURNING r.id, r.fence, r.attempt, r.person, r.sealed
            """, .bytes(worker.bytes))
        let rows: [Row]
        do throws(QueueError) {
            rows = try await run([alive(worker), claim])[1]
        } catch {
            // Another worker took a request of the same person between our look and our write.
            guard error.cause?.constraint == "requests_held" else { throw error }
            return nil
        }
        guard let row = rows.first else { return nil }
        let (id, fence, attempt, person, sealed) = try Self.read { () throws(PostgreSQLError) in
            (
                try row.integer(0), try row.integer(1), try row.integer(2), try row.bytes(3),
                try row.bytes(4)
            )
        }
        func lease(_ order: [UInt8]) -> Lease {
            Lease(request: id, fence: fence, attempt: attempt, order: order, worker: worker)
        }
        do throws(QueueError) {
            return lease(try seal.open(sealed, for: person, as: "order"))
        } catch {
            try await giveBack(lease([]), status: Self.unreadableStatus)
            throw QueueError(error.code, error.message, request: id)
        }
    }

    /// Writes down what is about to be done, or was: on disk when this returns.
    ///
    /// - Parameter number: From 1. The same again, because nobody knows whether it was written, is
    ///   written once.
    /// - Throws: `fenced` when the lease is no longer ours, and `wrongState` when the number is taken, by an
    ///   earlier lease or for something else: nothing is written, and nothing may be sent.
    package func note(
        _ note: [UInt8], number: Int64, _ lease: Lease
    ) async throws(QueueError) {
        guard note.count <= Self.orderBytesMax else {
            throw QueueError(.tooLarge, "the limit for a note is \(Self.orderBytesMax) bytes")
        }
        let context = seal.digest(Array("\(lease.request)".utf8), of: "request")
        let answers = try await run([
            hold(lease),
            Statement(
                """
                INSERT INTO notes VALUES ($1, $2, $3, clock_timestamp(), $4)
                ON CONFLICT (request, number) DO NOTHING
                """, .integer(lease.request), .integer(number), .integer(lease.fence),
                .bytes(seal.seal(note, for: context, as: "note"))),
            Statement(
                "SELECT fence, sealed FROM notes WHERE request = $1 AND number = $2",
                .integer(lease.request), .integer(number)),
        ])
        guard let row = answers[2].first else {
            throw QueueError(.unreadable, "note \(number) of \(lease.request) was not written")
        }
        let written = try self.note(row, context)
        guard written.fence == lease.fence, written.1 == note else {
            throw QueueError(
                .wrongState, "request \(lease.request) has another note \(number) already")
        }
    }

    /// The notes of a request, of earlier attempts too, in the order of their numbers.
    package func notes(_ request: Int64) async throws(QueueError) -> [(fence: Int64, [UInt8])] {
        let context = seal.digest(Array("\(request)".utf8), of: "request")
        let rows = try await run([
            Statement(
                "SELECT fence, sealed FROM notes WHERE request = $1 ORDER BY number",
                .integer(request))
        ])[0]
        return try rows.map { (row) throws(QueueError) in try note(row, context) }
    }

    private func note(
        _ row: Row, _ context: [UInt8]
    ) throws(QueueError) -> (fence: Int64, [UInt8]) {
        let (fence, box) = try Self.read { () throws(PostgreSQLError) in
            (try row.integer(0), try row.bytes(1))
        }
        return (fence, try seal.open(box, for: context, as: "note"))
    }

    /// Ends a request with its evidence; what was asked, and the notes, go from the database.
    ///
    /// Where nobody knows whether it was committed, this looks.
    ///
    /// - Throws: `fenced` when the lease is no longer ours: the request is not settled by us.
    package func settle(
        _ lease: Lease, evidence: [UInt8]
    ) async throws(QueueError) {
        guard evidence.count <= Self.evidenceBytesMax else {
            throw QueueError(.tooLarge, "the limit for evidence is \(Self.evidenceBytesMax) bytes")
        }
        let person = try await person(of: lease)
        let settle = Statement(
            """
            UPDATE requests SET state = 2, holder = NULL, sealed = NULL, status = 0, evidence = $2,
                ended = clock_timestamp()
            WHERE id = $1
            """, .integer(lease.request), .bytes(seal.seal(evidence, for: person, as: "evidence")))
        let forget = Statement("DELETE FROM notes WHERE request = $1", .integer(lease.request))
        do throws(QueueError) {
            _ = try await run([hold(lease), settle, forget])
        } catch {
            guard error.cause?.mayHaveBeenCommitted == true, try await isSettled(lease) else {
                throw error
            }
        }
    }

    /// Gives a request back after a failed attempt: it is tried again later, or parked.
    ///
    /// - Parameter status: The exit status of the attempt.
    package func giveBack(
        _ lease: Lease, status: Int64
    ) async throws(QueueError) {
        let (state, wait): (RequestState, Duration) =
            switch rules.afterFailure(attempt: lease.attempt) {
            case .again(let wait): (.ready, wait)
            case .park: (.parked, .zero)
            }
        _ = try await run([
            hold(lease),
            Statement(
                """
                UPDATE requests SET state = $2, holder = NULL, status = $3,
                    not_before = clock_timestamp() + $4 * interval '1 microsecond'
                WHERE id = $1
                """, .integer(lease.request), .integer(state.rawValue), .integer(status),
                Self.microseconds(wait)),
        ])
    }

    /// Gives a request back because this worker ends: the attempt does not count.
    package func release(_ lease: Lease) async throws(QueueError) {
        _ = try await run([
            hold(lease),
            Statement(
                """
                UPDATE requests SET state = 0, holder = NULL, attempt = attempt - 1 WHERE id = $1
                """, .integer(lease.request)),
        ])
    }

    /// Declares workers dead that have not been heard of, and gives back what they held; any worker
    /// does this now and then. Who is dead for a day and holds nothing is forgotten.
    ///
    /// - Returns: The requests that are ready again or parked, by their numbers.
    package func reap() async throws(QueueError) -> [Int64: RequestState] {
        let reap = Statement(
            """
            WITH silent AS MATERIALIZED (
                SELECT id FROM workers
                WHERE NOT is_dead AND seen < clock_timestamp() - $1 * interval '1 microsecond'
                ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED),
            dead AS (
                UPDATE workers AS w SET is_dead = true FROM silent WHERE w.id = silent.id
                RETURNING w.id)
            UPDATE requests AS r
            SET state = CASE WHEN attempt >= $2 THEN 3 ELSE 0 END, holder = NULL
            FROM dead WHERE r.state = 1 AND r.holder = dead.id
            RETURNING r.id, r.state
            """, Self.microseconds(rules.lease), .integer(rules.attemptsMax))
        // One that comes back is told that it is dead, as if it were still known.
        let forget = Statement(
            """
            WITH old AS MATERIALIZED (
                SELECT id FROM workers AS w
                WHERE is_dead AND seen + interval '1 day' < clock_timestamp()
                    AND NOT EXISTS (
                        SELECT FROM requests AS r WHERE r.state = 1 AND r.holder = w.id)
                ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
            DELETE FROM workers AS w USING old WHERE w.id = old.id
            """)
        let rows = try await run([reap, forget])[0]
        var reaped: [Int64: RequestState] = [:]
        for row in rows {
            let (id, state) = try Self.read { () throws(PostgreSQLError) in
                (try row.integer(0), try row.integer(1))
            }
            reaped[id] = RequestState(rawValue: state)
        }
        return reaped
    }

    // MARK: Parts

    /// Fails the transaction when the worker was declared dead, or the tables have another version.
    private func alive(_ worker: WorkerID) -> Statement {
        Statement(
            "SELECT alive($1, $2)", .bytes(worker.bytes), .integer(QueueSchema.version))
    }

    /// Fails the transaction when the lease is no longer this one.
    private func hold(_ lease: Lease) -> Statement {
        Statement(
            "SELECT hold($1, $2, $3)", .integer(lease.request), .bytes(lease.worker.bytes),
            .integer(lease.fence))
    }

    private func person(of lease: Lease) async throws(QueueError) -> [UInt8] {
        let rows = try await run([
            Statement("SELECT person FROM requests WHERE id = $1", .integer(lease.request))
        ])[0]
        guard let row = rows.first else {
            throw QueueError(.noSuchRequest, "there is no request \(lease.request)")
        }
        return try Self.read { () throws(PostgreSQLError) in try row.bytes(0) }
    }

    /// Whether this very lease has settled its request.
    func isSettled(_ lease: Lease) async throws(QueueError) -> Bool {
        let rows = try await run([
            Statement(
                "SELECT FROM requests WHERE id = $1 AND state = 2 AND fence = $2",
                .integer(lease.request), .integer(lease.fence))
        ])[0]
        return !rows.isEmpty
    }
}
