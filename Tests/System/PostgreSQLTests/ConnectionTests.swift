import PostgreSQL
import PostgreSQLCluster
import Testing

/// What needs a server says so, in words, where there is none.
let needsServer = ConditionTrait.enabled(
    if: Cluster.obstacle == nil, Comment(rawValue: Cluster.obstacle ?? ""))

@Suite(needsServer, .timeLimit(.minutes(10)))
struct ConnectionTests {
    private func connected() async throws -> Connection {
        Connection(try await SharedCluster.database())
    }

    @Test(arguments: [
        Value.null, .integer(.min), .integer(-1), .integer(.max), .real(-0.5), .bool(true), "",
        "aé🙂",
        .bytes([]), .bytes([0, 255, 92]), .time(microseconds: 0),
        .time(microseconds: -62_000_000_000_000_000), .time(microseconds: 1_795_000_000_123_456),
    ])
    func `values come back as they went`(value: Value) async throws {
        let types: [String] =
            switch value {
            case .null, .integer: ["int8"]
            case .real: ["float8"]
            case .bool: ["bool"]
            case .text: ["text"]
            case .bytes: ["bytea"]
            case .time: ["timestamptz"]
            }
        let connection = try await connected()
        let rows = try await connection.run("SELECT $1::\(types[0]), 1", value)
        #expect(rows == [Row([value, 1])])
        await connection.close()
    }

    @Test func `all statements of a call are one transaction`() async throws {
        let connection = try await connected()
        _ = try await connection.run("CREATE TABLE t (id bigint PRIMARY KEY)")
        let insert = { Statement("INSERT INTO t VALUES ($1) RETURNING id", .integer($0)) }
        #expect(
            try await connection.run([insert(1), insert(2)])
                == [[Row([1])], [Row([2])]])
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run([insert(3), insert(1), insert(4)])
        }
        #expect(error?.code == .refused)
        #expect(error?.state == .uniqueViolation)
        #expect(error?.constraint == "t_pkey")
        #expect(error?.mayHaveBeenCommitted == false)
        #expect(try await connection.run("SELECT count(*) FROM t") == [Row([2])])
        await connection.close()
    }

    @Test func `what fails only at the commit is told, and is not there`() async throws {
        let connection = try await connected()
        _ = try await connection.run(
            "CREATE TABLE t (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let insert = Statement("INSERT INTO t VALUES (1)")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run([insert, insert])
        }
        #expect(error?.state == .uniqueViolation)
        #expect(error?.mayHaveBeenCommitted == false)
        #expect(try await connection.run("SELECT count(*) FROM t") == [Row([0])])
        await connection.close()
    }

    @Test func `large batches do not lock both ends`() async throws {
        let connection = try await connected()
        let large = Value.bytes([UInt8](repeating: 7, count: 100_000))
        let echo = Statement("SELECT $1::bytea", large)
        let answers = try await connection.run([Statement](repeating: echo, count: 100))
        #expect(answers.count == 100 && answers.allSatisfy { $0 == [Row([large])] })
        await connection.close()
    }

    @Test func `what is too large is refused, and the next call works`() async throws {
        var settings = try await SharedCluster.database()
        settings.limits.rows = 10
        settings.limits.statements = 3
        settings.limits.bytesReceived = 1_000
        settings.limits.bytesSent = 2_000
        let connection = Connection(settings)
        let ask: [(String, [Value])] = [
            ("SELECT generate_series(1, 11)", []), ("SELECT repeat('a', 1001)", []),
            ("SELECT $1::bytea", [.bytes([UInt8](repeating: 0, count: 2_001))]),
        ]
        for (sql, values) in ask {
            let error = await #expect(throws: PostgreSQLError.self) {
                try await connection.run([Statement(sql, values: values)])
            }
            #expect(error?.code == .tooLarge)
        }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run([Statement](repeating: Statement("SELECT 1"), count: 4))
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.mayHaveBeenCommitted == false)
        #expect(try await connection.run("SELECT generate_series(1, 10)").count == 10)
        await connection.close()
    }

    @Test func `more statements than the server may keep begin a new session`() async throws {
        var settings = try await SharedCluster.database()
        settings.limits.prepared = 3
        let connection = Connection(settings)
        for number in 1...10 {
            let rows = try await connection.run("SELECT \(number)")
            #expect(rows == [Row([.integer(Int64(number))])])
        }
        let kept = try await connection.run("SELECT count(*) FROM pg_prepared_statements")
        #expect(try kept[0].integer(0) <= 3)
        await connection.close()
    }

    @Test func `a value of another type is an error, and does not stand in it`() async throws {
        let connection = try await connected()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("SELECT ($1::text)::int8", "ann@example.com")
        }
        #expect(error?.state?.group == "22")
        #expect(error.map { "\($0)".contains("ann") } == false)
        let rows = try await connection.run("SELECT 'x'::text, NULL::int8")
        #expect(throws: PostgreSQLError.self) { try rows[0].integer(0) }
        #expect(throws: PostgreSQLError.self) { try rows[0].integer(1) }
        #expect(throws: PostgreSQLError.self) { try rows[0].text(2) }
        #expect(
            try rows[0].optional(1) { (row, column) throws(PostgreSQLError) in
                try row.integer(column)
            } == nil)
        await connection.close()
    }

    @Test func `the server gives up a statement in time`() async throws {
        var settings = try await SharedCluster.database()
        settings.limits.answer = .milliseconds(200)
        let connection = Connection(settings)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("SELECT pg_sleep(60)")
        }
        #expect(error?.state == .queryCancelled || error?.code == .timedOut)
        await connection.close()
    }

    @Test func `a cancelled task stops what the server does for it`() async throws {
        let settings = try await SharedCluster.database()
        let observer = Connection(settings)
        _ = try await observer.run("CREATE TABLE done (id bigint)")
        let connection = Connection(settings)
        let task = Task {
            try await connection.run([
                Statement("SELECT pg_advisory_xact_lock(7)"),
                Statement("SELECT pg_sleep(60)"), Statement("INSERT INTO done VALUES (1)"),
            ])
        }
        // Waits on the server until the other one has the lock, then until it lets go of it.
        let held = """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND granted
            """
        while try await observer.run(held)[0].integer(0) == 0 { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: PostgreSQLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCommitted == true)
        _ = try await observer.run("SELECT pg_advisory_xact_lock(7)")
        #expect(try await observer.run("SELECT count(*) FROM done") == [Row([0])])
        #expect(try await connection.run("SELECT 1") == [Row([1])])
        await connection.close()
        await observer.close()
    }

    @Test func `for a call that is cancelled before its turn nothing is sent`() async throws {
        let connection = try await connected()
        _ = try await connection.run("CREATE TABLE done (id bigint)")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await connection.run("INSERT INTO done VALUES (1)")
        }
        let error = await #expect(throws: PostgreSQLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCommitted == false)
        #expect(try await connection.run("SELECT count(*) FROM done") == [Row([0])])
        await connection.close()
    }

    @Test func `for a call whose time is over before its turn nothing is sent`() async throws {
        var settings = try await SharedCluster.database()
        settings.limits.answer = .zero
        let connection = Connection(settings)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("CREATE TABLE done (id bigint)")
        }
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenCommitted == false)
        await connection.close()
    }

    @Test func `nothing is done after the end`() async throws {
        let connection = try await connected()
        await connection.close()
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("SELECT 1")
        }
        #expect(error?.code == .closed)
    }

    @Test func `a server that is not there is told before anything is sent`() async {
        let nowhere = ConnectionSettings(
            .socket(folder: "/nonexistent"), database: "x", user: "x")
        let error = await #expect(throws: PostgreSQLError.self) {
            try await Connection(nowhere).run("SELECT 1")
        }
        #expect(error?.code == .couldNotConnect)
        #expect(error?.mayHaveBeenCommitted == false)
        #expect(error?.isTransient == true)
    }
}
