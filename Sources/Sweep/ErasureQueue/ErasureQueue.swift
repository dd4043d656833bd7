package import PostgreSQL

/// Requests to erase people's data, shared by many workers through one PostgreSQL database.
///
/// Every write about a request carries the fence of its lease; one whose lease has passed to another
/// worker changes nothing. All times are the database's.
package struct ErasureQueue: Sendable {
    /// Bytes of the largest order and note.
    package static let orderBytesMax = 65_536
    /// Bytes of the largest evidence.
    package static let evidenceBytesMax = 2_000_000
    /// Exit status of an attempt whose order is sealed with another key: the configuration is wrong.
    package static let unreadableStatus: Int64 = 2

    let connection: Connection
    let seal: QueueSeal
    package let rules: QueueRules

    package init(_ connection: Connection, seal: QueueSeal, rules: QueueRules = QueueRules()) {
        precondition(rules.isSound, "a worker must stop before another one may begin")
        self.connection = connection
        self.seal = seal
        self.rules = rules
    }

    /// Lets go of the connection.
    package func close() async { await connection.close() }

    // MARK: The schema

    /// Makes the tables, or brings them to this program's version; many can do so at once.
    ///
    /// - Throws: `wrongVersion` when a newer program made them.
    package func migrate() async throws(QueueError) {
        _ = try await run(QueueSchema.beginning)
        while true {
            let version = try await version()
            guard version <= QueueSchema.version else {
                throw QueueError(
                    .wrongVersion,
                    "the queue has version \(version), and this program \(QueueSchema.version)")
            }
            if version == QueueSchema.version { return }
            // Fails when somebody else was faster; then there is nothing to do here.
            let isNext = Statement(
                "SELECT 1 / count(*) FROM meta WHERE key = 'version' AND value = $1",
                .integer(version))
            let noted = Statement(
                "UPDATE meta SET value = value + 1 WHERE key = 'version'")
            do throws(QueueError) {
                _ = try await run(
                    [QueueSchema.lock, isNext]
                        + QueueSchema.steps[Int(version)].map { Statement($0) } + [noted])
            } catch {
                guard error.cause?.state == SQLState("22012") else { throw error }
            }
        }
    }

    /// The version of the tables; 0: there are none yet.
    package func version() async throws(QueueError) -> Int64 {
        let rows = try await run([Statement("SELECT value FROM meta WHERE key = 'version'")])[0]
        guard let row = rows.first else {
            throw QueueError(.wrongVersion, "the queue does not report its version")
        }
        return try Self.read { () throws(PostgreSQLError) in try row.integer(0) }
    }

    // MARK: For the other files

    func run(_ statements: [Statement]) async throws(QueueError) -> [[Row]] {
        do throws(PostgreSQLError) {
            return try await connection.run(statements)
        } catch {
            throw QueueError(error)
        }
    }

    static func read<Result>(
        _ body: () throws(PostgreSQLError) -> Result
    ) throws(QueueError) -> Result {
        do throws(PostgreSQLError) { return try body() } catch { throw QueueError(error) }
    }

    static func microseconds(_ duration: Duration) -> Value {
        let (seconds, attoseconds) = duration.components
        return .integer(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
