import PostgreSQL

/// How many requests all workers together may send, by container.
extension ErasureQueue {
    /// Takes tokens from a bucket that all workers share.
    ///
    /// - Parameters:
    ///   - name: What is limited; stands in the database as a keyed digest.
    ///   - rate: Tokens that come in a second, up to
    ///   - cap: as many as the bucket holds. A new one is full.
    /// - Returns: As many as there are; 0 also while the bucket is shut.
    package func take(
        _ wanted: Int64, from name: String, rate: Double, cap: Double
    ) async throws(QueueError) -> Int64 {
        precondition(wanted > 0 && rate >= 0 && cap >= 1, "no bucket is like that")
        // What a crash of the server loses of this is half a second of a limit.
        let rows = try await run([
            Statement("SELECT set_config('synchronous_commit', 'off', true)"),
            Statement(
                "SELECT take($1, $2, $3, $4)", .bytes(bucket(name)), .integer(wanted), .real(rate),
                .real(cap)),
        ])[1]
        guard let row = rows.first else {
            throw QueueError(.unreadable, "the bucket gives no number")
        }
        return try Self.read { () throws(PostgreSQLError) in try row.integer(0) }
    }

    /// Shuts a bucket for all workers, because the service said to wait; for a day at most.
    package func shut(_ name: String, for wait: Duration) async throws(QueueError) {
        let wait = max(.zero, min(wait, .seconds(86_400)))
        _ = try await run([
            Statement(
                """
                INSERT INTO buckets AS b (key, tokens, at, closed_until)
                VALUES ($1, 0, clock_timestamp(),
                    clock_timestamp() + $2 * interval '1 microsecond')
                ON CONFLICT (key) DO UPDATE
                SET closed_until = greatest(b.closed_until, excluded.closed_until)
                """, .bytes(bucket(name)), Self.microseconds(wait))
        ])
    }

    private func bucket(_ name: String) -> [UInt8] {
        seal.digest(Array(name.utf8), of: "bucket")
    }
}
