import Foundation
import SQLite
import Synchronization
import Testing

/// A directory that goes away with the test that made it.
private final class Directory {
    let path: String
    init() throws {
        path = NSTemporaryDirectory() + "cksweep-sqlite-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func file(_ name: String) -> String { path + "/" + name }
}

@Suite struct ConnectionTests {
    @Test(arguments: [
        Value.null, 0, -1, .integer(.max), .integer(.min), 1.5, "", "text", "naïve 🌿", .blob([]),
        .blob([0, 1, 255]), .text("with \0 inside"),
    ])
    func `a value comes back as it went in`(value: Value) throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (v)")
        try connection.run("INSERT INTO t VALUES (?)", value)
        #expect(try connection.rows("SELECT v FROM t") == [[value]])
    }

    @Test func `a nil binds as NULL and an empty text does not`() throws {
        let connection = try Connection(.memory)
        let statement = try connection.prepare("SELECT ? IS NULL, ? IS NULL, ? IS NULL")
        statement.bind(1, String?.none)
        statement.bind(2, "")
        statement.bind(3, [UInt8]())
        #expect(try statement.step())
        #expect(statement.bool(at: 0))
        #expect(!statement.bool(at: 1))
        #expect(!statement.bool(at: 2))
        #expect(try !statement.step())
    }

    @Test func `optional columns tell NULL from zero`() throws {
        let connection = try Connection(.memory)
        let statement = try connection.prepare("SELECT NULL, 0, '', x''")
        #expect(try statement.step())
        #expect(statement.optionalInt64(at: 0) == nil && statement.optionalInt64(at: 1) == 0)
        #expect(statement.optionalText(at: 0) == nil && statement.optionalText(at: 2) == "")
        #expect(statement.optionalBytes(at: 0) == nil && statement.optionalBytes(at: 3) == [])
        #expect(statement.optionalDouble(at: 0) == nil && statement.optionalDouble(at: 1) == 0)
    }

    @Test func `a syntax error tells where, and a constraint tells which`() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (k TEXT PRIMARY KEY)")
        let syntax = #expect(throws: SQLiteError.self) {
            try connection.prepare("SELEC 1")
        }
        #expect(syntax?.code == 1)
        #expect(syntax?.sql == "SELEC 1")
        try connection.run("INSERT INTO t VALUES (?)", "secret value")
        let constraint = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES (?)", "secret value")
        }
        #expect(constraint?.isConstraint == true)
        #expect(constraint?.extendedCode == 1555)
        #expect(constraint?.description.contains("secret") == false)
    }

    @Test func `too many values make the step fail, not trap`() throws {
        let connection = try Connection(.memory)
        let statement = try connection.prepare("SELECT ?")
        statement.bind(2, Int64(1))
        let error = #expect(throws: SQLiteError.self) { try statement.step() }
        #expect(error?.code == 25)
    }

    @Test func `a cached statement starts clean`() throws {
        let connection = try Connection(.memory)
        let first = try connection.prepare("SELECT ?")
        first.bind(1, "left over")
        #expect(try first.step())
        first.reset()
        let second = try connection.prepare("SELECT ?")
        #expect(second === first)
        #expect(try second.step())
        #expect(second.isNull(at: 0))
    }

    @Test func `the same SQL can run inside itself`() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
        let outer = try connection.prepare("SELECT v FROM t")
        var pairs = 0
        while try outer.step() {
            let inner = try connection.prepare("SELECT v FROM t")
            while try inner.step() { pairs += 1 }
        }
        #expect(pairs == 9)
    }

    @Test func `an error undoes its transaction and nothing else`() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY)")
        try connection.run("INSERT INTO t VALUES (1)")
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (2)")
                try connection.run("INSERT INTO t VALUES (1)")
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.rows("SELECT k FROM t") == [[1]])
    }

    @Test func `a savepoint undoes its own part of a transaction`() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY)")
        try connection.transaction { () throws(SQLiteError) in
            try connection.run("INSERT INTO t VALUES (1)")
            try? connection.savepoint { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (2)")
                try connection.run("INSERT INTO t VALUES (1)")
            }
            try connection.savepoint { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (3)")
            }
        }
        #expect(try connection.rows("SELECT k FROM t ORDER BY k") == [[1], [3]])
        #expect(connection.changes == 1 && connection.lastInsertRowID == 3)
    }

    @Test func `many that open a new file at the same moment wait for one another`() throws {
        let directory = try Directory()
        for round in 0..<100 {
            let file = directory.file("\(round).sqlite")
            let errors = Mutex<[SQLiteError]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                do throws(SQLiteError) {
                    let connection = try Connection(.file(file))
                    try connection.useWriteAheadLog(.off)
                    try connection.transaction { () throws(SQLiteError) in
                        try connection.execute("CREATE TABLE IF NOT EXISTS t (v)")
                        try connection.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
                    }
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
            #expect(errors.withLock { $0.map(\.description) } == [], "round \(round)")
            let connection = try Connection(.file(file))
            #expect(try connection.rows("SELECT v FROM t ORDER BY v") == [[0], [1], [2], [3]])
        }
    }

    @Test func `a new file and its log are for the owner's eyes only`() throws {
        let directory = try Directory()
        let connection = try Connection(.file(directory.file("a.sqlite")))
        #expect(try connection.useWriteAheadLog(.full))
        try connection.execute("CREATE TABLE t (v)")
        for name in ["a.sqlite", "a.sqlite-wal", "a.sqlite-shm"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: directory.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `what is committed is there for the next connection, before any close`() throws {
        let directory = try Directory()
        let writer = try Connection(.file(directory.file("a.sqlite")))
        try writer.useWriteAheadLog(.full, checkpointPages: 0)
        try writer.execute("CREATE TABLE t (v)")
        try writer.begin()
        try writer.run("INSERT INTO t VALUES (1)")
        let reader = try Connection(.file(directory.file("a.sqlite")))
        #expect(try reader.rows("SELECT v FROM t") == [])
        try writer.commit()
        #expect(try reader.rows("SELECT v FROM t") == [[1]])
        #expect(writer.logPages > 0)
        #expect(try writer.checkpoint(.truncate).frames == 0)
        #expect(try reader.rows("SELECT v FROM t") == [[1]])
    }

    @Test func `a lock held by another is busy, and a wait for it ends`() throws {
        let directory = try Directory()
        let first = try Connection(.file(directory.file("a.sqlite")))
        let second = try Connection(
            .file(directory.file("a.sqlite")), busyTimeout: .milliseconds(1))
        try first.begin(.immediate)
        let error = #expect(throws: SQLiteError.self) { try second.begin(.immediate) }
        #expect(error?.isBusy == true)
        first.rollback()
        try second.begin(.immediate)
        second.rollback()
    }

    @Test func `a file that is no database is corrupt, a missing folder not permitted`() throws {
        let directory = try Directory()
        let path = directory.file("a.sqlite")
        try String(repeating: "not a database ", count: 100)
            .write(toFile: path, atomically: true, encoding: .utf8)
        let connection = try Connection(.file(path))
        let damaged = #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE TABLE t (v)")
        }
        #expect(damaged?.isCorrupt == true)
        let missing = #expect(throws: SQLiteError.self) {
            try Connection(.file(directory.file("no/such/folder.sqlite")))
        }
        #expect(missing?.isNotPermitted == true)
        #expect(throws: SQLiteError.self) { try Connection(.file("")) }
    }

    @Test func `a full database says so and stays usable`() throws {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (v); PRAGMA max_page_count = 10")
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES (zeroblob(1000000))")
        }
        #expect(error?.isDiskFull == true)
        try connection.run("INSERT INTO t VALUES (1)")
        #expect(try connection.problems() == [])
    }

    @Test func `a read-only connection refuses writes and makes no file`() throws {
        let directory = try Directory()
        let path = directory.file("a.sqlite")
        #expect(throws: SQLiteError.self) { try Connection(.file(path), readOnly: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Connection(.file(path)).execute("CREATE TABLE t (v)")
        let reader = try Connection(.file(path), readOnly: true)
        let error = #expect(throws: SQLiteError.self) {
            try reader.execute("INSERT INTO t VALUES (1)")
        }
        #expect(error?.isNotPermitted == true)
    }

    @Test func `a statement keeps its database open, and what it says of itself true`() throws {
        let directory = try Directory()
        func statement() throws -> Statement {
            let connection = try Connection(.file(directory.file("a.sqlite")))
            try connection.useWriteAheadLog(.normal, checkpointPages: 0)
            try connection.execute("CREATE TABLE t (v INTEGER PRIMARY KEY)")
            return try connection.compile("INSERT INTO t VALUES (?)")
        }
        // The connection is gone; the commit below still calls the hook that counts the log.
        let insert = try statement()
        insert.bind(1, 7)
        try insert.run()
        insert.bind(1, 7)
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.isConstraint == true)
        #expect(error?.message == "UNIQUE constraint failed: t.v")
    }
}
