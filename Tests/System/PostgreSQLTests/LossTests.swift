import PostgreSQL
import PostgreSQLCluster
import Testing

/// Connections that end in the middle: what an error promises is what is in the database.
@Suite(needsServer, .timeLimit(.minutes(10)))
struct LossTests {
    private func rows(_ connection: Connection, _ number: Int) async throws -> Int64 {
        try await connection.run("SELECT count(*) FROM t WHERE id = $1", .integer(Int64(number)))[0]
            .integer(0)
    }

    private func insert(_ number: Int) -> [Statement] {
        [
            Statement("INSERT INTO t VALUES ($1, 1)", .integer(Int64(number))),
            Statement("INSERT INTO t VALUES ($1, 2)", .integer(Int64(number))),
        ]
    }

    /// Both rows or none; none where the error promises it.
    @Test(arguments: [Cutter.Side.client, .server])
    func `cut after every byte, a transaction is whole or not there`(
        side: Cutter.Side
    ) async throws {
        let cluster = try SharedCluster.shared()
        let direct = try await SharedCluster.database()
        let observer = Connection(direct)
        _ = try await observer.run("CREATE TABLE t (id bigint, part bigint)")
        let cutter = try Cutter(before: cluster)
        defer { cutter.stop() }
        var settings = direct
        settings.server = .socket(folder: cutter.folder)

        // How many bytes the second transaction of a session takes, when nothing is cut.
        let probe = Connection(settings)
        _ = try await probe.run(insert(-1))
        let before = cutter.counts
        _ = try await probe.run(insert(-2))
        let after = cutter.counts
        await probe.close()
        let length = side == .client ? after.client - before.client : after.server - before.server
        #expect(length > 20)

        var outcomes: Set<String> = []
        for bytes in 0..<length {
            let connection = Connection(settings)
            _ = try await connection.run("SELECT 1")
            _ = try await connection.run(insert(-3 - bytes))
            cutter.cut(side, after: bytes)
            do throws(PostgreSQLError) {
                _ = try await connection.run(insert(bytes))
                Issue.record("\(bytes) bytes were enough for all")
            } catch {
                #expect(error.code == .connectionLost)
                #expect(error.isTransient)
                await connection.close()
                cutter.heal()
                let count = try await settled(observer, bytes)
                #expect(count == 0 || (count == 2 && error.mayHaveBeenCommitted))
                outcomes.insert("\(count) \(error.mayHaveBeenCommitted)")
            }
        }
        // Cut on the way there it is never committed, and on the way back it always was.
        #expect(outcomes == (side == .client ? ["0 true"] : ["2 true"]))
        await observer.close()
    }

    /// The rows, once no other session of this database is left.
    private func settled(_ observer: Connection, _ number: Int) async throws -> Int64 {
        let others = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND backend_type = 'client backend'
            """
        while try await observer.run(others)[0].integer(0) > 0 { await Task.yield() }
        return try await rows(observer, number)
    }

    @Test func `a backend that is ended says so, and the next call has a new one`() async throws {
        let settings = try await SharedCluster.database()
        let observer = Connection(settings)
        let connection = Connection(settings)
        let pid = try await connection.run("SELECT pg_backend_pid()")[0].integer(0)
        let task = Task { try await connection.run("SELECT pg_advisory_lock(9), pg_sleep(60)") }
        let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 9"
        while try await observer.run(held)[0].integer(0) == 0 { await Task.yield() }
        _ = try await observer.run("SELECT pg_terminate_backend($1::int4)", .integer(pid))
        let error = await #expect(throws: PostgreSQLError.self) { try await task.value }
        #expect(error?.state == SQLState("57P01"))
        #expect(error?.isTransient == true)
        #expect(error?.mayHaveBeenCommitted == true)
        #expect(try await connection.run("SELECT pg_backend_pid()")[0].integer(0) != pid)

        // One that is ended between two calls is noticed by the next, which says that nothing is sure.
        let second = try await connection.run("SELECT pg_backend_pid()")[0].integer(0)
        _ = try await observer.run("SELECT pg_terminate_backend($1::int4, 5000)", .integer(second))
        _ = try? await connection.run("SELECT 1")
        #expect(try await connection.run("SELECT 1") == [Row([1])])
        await connection.close()
        await observer.close()
    }

    /// Acknowledged means on disk: a server that is killed has every row that it said it has.
    @Test func `no acknowledged row is lost when the server is killed`() async throws {
        let cluster = try Cluster(.on)
        let settings = try await cluster.makeDatabase("kill")
        let setup = Connection(settings)
        _ = try await setup.run("CREATE TABLE t (id bigint, part bigint)")
        let acknowledged = try await withThrowingTaskGroup(of: [Int].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let connection = Connection(settings)
                    var done: [Int] = []
                    while true {
                        let number = writer * 1_000_000 + done.count
                        do {
                            _ = try await connection.run(insert(number))
                            done.append(number)
                        } catch {
                            await connection.close()
                            return done
                        }
                    }
                }
            }
            // Some work first; then the power goes.
            while try await setup.run("SELECT count(*) FROM t")[0].integer(0) < 200 {
                await Task.yield()
            }
            try cluster.crash()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let after = Connection(settings)
        let there = try await after.run("SELECT id FROM t GROUP BY id HAVING count(*) = 2")
        let ids = Set(try there.map { try Int($0.integer(0)) })
        #expect(acknowledged.count >= 100)
        #expect(ids.isSuperset(of: acknowledged))
        // At most one a writer was under way.
        #expect(ids.count <= acknowledged.count + 4)
        let halves = try await after.run("SELECT id FROM t GROUP BY id HAVING count(*) <> 2")
        #expect(halves.isEmpty)
        await after.close()
        await setup.close()
        try cluster.stop()
    }
}
