private import AsyncOperations
package import Basics
package import CloudModel
import OpenSSL
import SQLite

/// A journal in one SQLite file with a write-ahead log.
///
/// Every change is one transaction. Waiting for the disk goes on beside the next ones, and those
/// that wait together wait once. After a failed write nothing more is written: the file then says
/// what was true before.
package actor SQLiteJournal: Journal {
    private let executor = ThreadExecutor(label: "journal")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Called around each commit, for tests that end a run there: `true` before it, `false`
    /// when it is as lasting as was asked for. What it throws breaks the journal like a failing
    /// disk.
    package typealias CommitHook = @Sendable (_ isBefore: Bool) throws -> Void

    private let file: JournalFile
    private let locks: LockKeeper
    private let hook: CommitHook?
    private var opened: Connection?
    private var log: LogSync?
    private var failure: JournalError?
    /// The newest commit.
    private var newest = 0

    /// A journal in `folder`, which is made with mode 0700 when it is missing. The file is opened
    /// at the first use.
    ///
    /// - Parameters:
    ///   - isAlive: Whether the process that holds a lock still runs.
    package init(
        folder: String, readOnly: Bool = false,
        isAlive: @escaping @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() },
        hook: CommitHook? = nil
    ) {
        file = JournalFile(folder: folder, isReadOnly: readOnly)
        locks = LockKeeper(path: file.lockPath, isAlive: isAlive)
        self.hook = hook
    }

    /// Whether a state folder has a journal; before the first run it has none.
    package static func isThere(in folder: String) -> Bool {
        JournalFile(folder: folder, isReadOnly: true).isThere
    }

    // MARK: Writing

    package func write(_ changes: [JournalChange], run: Int64) async throws(JournalError) {
        try await durably { connection throws(JournalError) in
            try apply(changes, run: run, connection)
        }
    }

    package func note(_ changes: [JournalChange], run: Int64) throws(JournalError) {
        try transaction { connection throws(JournalError) in
            try apply(changes, run: run, connection)
        }
        try callHook(isBefore: false)
    }

    package func flush() async throws(JournalError) {
        if let failure { throw failure }
        guard let log, newest > 0 else { return }
        do throws(JournalError) {
            try await log.wait(for: newest)
        } catch {
            throw fail(file.located(error))
        }
    }

    package func begin(
        _ start: RunStart, _ changes: [JournalChange]
    ) async throws(JournalError) -> RunRow {
        let key = try await durably { connection throws(JournalError) in
            let key = try RunTable(connection: connection).insert(start)
            try locks.open(run: start.id)
            try apply(changes, run: key, connection)
            return key
        }
        return try run(key: key)
    }

    package func claim(
        run: Int64, container: Int, scope: Database.Scope, limit: Int
    ) throws(JournalError) -> [StepRow] {
        let claimed = try transaction { connection throws(JournalError) in
            try locks.check(run: run, connection)
            return try PlanTable(connection: connection, run: run).claim(
                container: container, scope, for: try locks.token(ofRun: run, connection),
                limit: limit)
        }
        try callHook(isBefore: false)
        return claimed
    }

    package func secret(_ name: String) async throws(JournalError) -> [UInt8] {
        if let kept = try note(run: 0, key: name) { return kept }
        try await write([.noteOnce(key: name, value: SecureRandom.bytes(32))], run: 0)
        guard let kept = try note(run: 0, key: name) else {
            throw JournalError(.corrupt, "the journal did not store a secret")
        }
        return kept
    }

    package func unfence(
        _ zone: RecordZone.ID, at address: Database.Address
    ) async throws(JournalError) -> Bool {
        guard try !fences(around: [zone], at: address).isEmpty else { return false }
        try await durably { connection throws(JournalError) in
            try FenceTable(connection: connection).lift(zone, at: address)
        }
        return true
    }

    // MARK: Forgetting

    package func forget(
        _ runs: [(run: Int64, report: [UInt8]?)]
    ) async throws(JournalError) {
        try await durably { connection throws(JournalError) in
            for (run, report) in runs {
                let row = try RunTable(connection: connection).run(key: run)
                if let reason = try whyKept(row) { throw JournalError(.unfinished, reason) }
                try RunEraser(connection: connection).forget(row, report: report)
            }
        }
        try compact()
    }

    package func prune(before time: Timestamp) async throws(JournalError) -> [String] {
        let removed = try await durably { connection throws(JournalError) in
            let runs = RunTable(connection: connection)
            var removed: [String] = []
            for key in try runs.keys(endedBefore: time) {
                let row = try runs.run(key: key)
                guard try whyKept(row) == nil else { continue }
                try RunEraser(connection: connection).remove(row)
                removed.append(row.id)
            }
            return removed
        }
        if !removed.isEmpty { try compact() }
        return removed
    }

    /// Why a run must not be forgotten yet; nil: it may.
    private func whyKept(_ row: RunRow) throws(JournalError) -> String? {
        if row.canResume {
            return "run \(row.id) can be continued by \"cksweep resume \(row.id)\"; \"cksweep "
                + "forget \(row.id) --abandon\" abandons it"
        }
        switch try locks.isClosed(run: row.id) {
        case false: return "run \(row.id) is in progress: wait until it has ended"
        case nil where row.ended == nil:
            return "run \(row.id) has not ended, and this file system cannot show whether it is "
                + "still in progress"
        case true, nil: return nil
        }
    }

    /// Writes the file anew, without what was deleted, and empties the log.
    ///
    /// What was deleted is gone for good when this returns; when it throws, the same call again goes
    /// on with it.
    private func compact() throws(JournalError) {
        let connection = try connection()
        do throws(SQLiteError) {
            try connection.execute("VACUUM")
            try connection.checkpoint(.truncate)
        } catch {
            guard error.isBusy else { throw file.located(JournalError(error)) }
            throw file.located(
                JournalError(
                    .busy,
                    "forgotten data may still be in unused space of the file, because another "
                        + "process uses it: run forget again after that has ended"))
        }
    }

    package func close() {
        failure = failure ?? JournalError(.broken, "the journal is closed")
        opened = nil
        log = nil
        locks.letGo()
    }

    /// Writes changes of a run in the open transaction, if the run is still ours to write to.
    private func apply(
        _ changes: [JournalChange], run: Int64, _ connection: Connection
    ) throws(JournalError) {
        let writer = JournalWriter(connection: connection, locks: locks)
        for change in changes { try writer.apply(change, run: run) }
        try locks.check(run: run, connection)
    }

    /// Runs `body` in a transaction, and returns when the disk has it.
    private func durably<Result: Sendable>(
        _ body: (Connection) throws(JournalError) -> Result
    ) async throws(JournalError) -> Result {
        let result = try transaction(body)
        try await flush()
        try callHook(isBefore: false)
        return result
    }

    /// Runs `body` in a transaction, which outlives the process when this returns.
    ///
    /// A refusal, such as a lock that others hold, is no fault of the file: it undoes `body` alone.
    private func transaction<Result>(
        _ body: (Connection) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        if let failure { throw failure }
        let connection = try connection()
        do throws(SQLiteError) {
            try connection.begin()
        } catch {
            throw fail(file.located(JournalError(error)))
        }
        let result: Result
        do throws(JournalError) {
            result = try body(connection)
        } catch {
            connection.rollback()
            locks.forgetNew()
            if error.isHarmless { throw error }
            throw fail(file.located(error))
        }
        do throws(JournalError) {
            try callHook(isBefore: true)
            do throws(SQLiteError) {
                try connection.commit()
            } catch {
                throw fail(file.located(JournalError(error)))
            }
        } catch {
            connection.rollback()
            throw error
        }
        locks.settle()
        if let log = try logSync(connection) { newest = log.noteCommit() }
        return result
    }

    private func callHook(isBefore: Bool) throws(JournalError) {
        do {
            try hook?(isBefore)
        } catch {
            throw fail(JournalError(.broken, "the journal lost its file"))
        }
    }

    /// Notes that nothing is written from now on.
    private func fail(_ error: JournalError) -> JournalError {
        failure = failure ?? error
        return error
    }

    // MARK: Reading

    /// The connection, opened and checked at the first use.
    private func connection() throws(JournalError) -> Connection {
        if let opened { return opened }
        let connection = try file.open()
        opened = connection
        return connection
    }

    /// Who waits for the disk; nil where SQLite does it itself, because the file system lets it
    /// have no log.
    private func logSync(_ connection: Connection) throws(JournalError) -> LogSync? {
        if let log { return log }
        guard try file.hasLog(connection) else { return nil }
        do throws(JournalError) {
            let made = try LogSync(file.logPath, in: file.folder)
            log = made
            return made
        } catch {
            throw fail(file.located(error))
        }
    }

    /// Reads something, all of it as of one moment; an error says which file it is about.
    ///
    /// One transaction for all statements of `body`: else SQLite takes and gives back its lock of
    /// the file for each of them.
    func read<Result>(
        _ body: (Connection) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let connection = try connection()
        do throws(SQLiteError) {
            try connection.begin(.deferred)
        } catch {
            throw file.located(JournalError(error))
        }
        // Nothing was written: there is nothing to commit.
        defer { connection.rollback() }
        do throws(JournalError) {
            return try body(connection)
        } catch {
            throw file.located(error)
        }
    }
}
