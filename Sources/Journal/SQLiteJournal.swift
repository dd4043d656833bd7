private import AsyncOperations
package import CloudModel
import OpenSSL
import SQLite

/// A journal in one SQLite file with a write-ahead log, synced at every commit.
///
/// Writes that wait together share one commit. After a failed write nothing more is written: the
/// file then says what was true before.
package actor SQLiteJournal: Journal {
    private let executor = ThreadExecutor(label: "journal")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Called around each commit, for tests that end a run there: `true` before it, `false`
    /// after it. What it throws breaks the journal like a failing disk.
    package typealias CommitHook = @Sendable (_ isBefore: Bool) throws -> Void

    private let file: JournalFile
    private let isAlive: @Sendable (ProcessIdentity) -> Bool
    private let hook: CommitHook?
    private var opened: Connection?
    private var groupsBegun = 0
    private var groupsDone = 0
    private var failure: JournalError?
    private var failedGroup: Int?
    /// How many commits were made, for measurements.
    package private(set) var commits = 0

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
        self.isAlive = isAlive
        self.hook = hook
    }

    /// Whether a state folder has a journal; before the first run it has none.
    package static func isThere(in folder: String) -> Bool {
        JournalFile(folder: folder, isReadOnly: true).isThere
    }

    // MARK: Writing

    package func write(
        _ changes: [JournalChange], run: Int64
    ) async throws(JournalError) {
        try await inGroup { writer throws(JournalError) in
            for change in changes { try writer.apply(change, run: run) }
        }
    }

    package func begin(
        _ start: RunStart, _ changes: [JournalChange]
    ) async throws(JournalError) -> RunRow {
        var key: Int64 = 0
        try await inGroup { writer throws(JournalError) in
            key = try writer.begin(start)
            for change in changes { try writer.apply(change, run: key) }
        }
        return try run(key: key)
    }

    package func secret(_ name: String) async throws(JournalError) -> [UInt8] {
        if let kept = try note(run: 0, key: name) { return kept }
        try await write([.noteOnce(key: name, value: SecureRandom.bytes(32))], run: 0)
        guard let kept = try note(run: 0, key: name) else {
            throw JournalError(.corrupt, "the journal did not keep a secret")
        }
        return kept
    }

    package func unfence(
        _ zone: RecordZone.ID, at address: Database.Address
    ) async throws(JournalError) -> Bool {
        guard try isFenced(zone, at: address) else { return false }
        try await inGroup { writer throws(JournalError) in
            try FenceTable(connection: writer.connection)
                .lift(zone, at: address)
        }
        return true
    }

    /// Runs `body` in the transaction that is open, or in a new one, and waits for its commit.
    ///
    /// A lock held by others is no fault of the file: it undoes `body` alone.
    private func inGroup(
        _ body: (JournalWriter) throws(JournalError) -> Void
    ) async throws(JournalError) {
        let connection = try connection()
        if let failure { throw failure }
        var refusal: JournalError?
        do throws(SQLiteError) {
            if groupsBegun == groupsDone {
                try connection.begin()
                groupsBegun += 1
            }
            try connection.beginSavepoint()
        } catch {
            throw fail(file.located(JournalError(error)), connection)
        }
        let group = groupsBegun
        do throws(JournalError) {
            try body(JournalWriter(connection: connection, isAlive: isAlive))
        } catch {
            guard error.isHarmless else { throw fail(file.located(error), connection) }
            connection.rollbackToSavepoint()
            refusal = error
        }
        do throws(SQLiteError) {
            if refusal == nil { try connection.releaseSavepoint() }
        } catch {
            throw fail(file.located(JournalError(error)), connection)
        }
        // Whoever is in line already gets into the same commit.
        await Task.yield()
        if groupsDone < group {
            if let failure { throw failure }
            try commit(connection)
        } else if let failedGroup, group >= failedGroup, let failure {
            throw failure
        }
        if let refusal { throw refusal }
    }

    private func commit(_ connection: Connection) throws(JournalError) {
        do {
            try hook?(true)
            try connection.commit()
            commits += 1
            groupsDone = groupsBegun
        } catch let error as SQLiteError {
            throw fail(file.located(JournalError(error)), connection)
        } catch {
            throw fail(JournalError(.broken, "the journal was cut off"), connection)
        }
        do {
            try hook?(false)
        } catch {
            groupsBegun += 1
            throw fail(JournalError(.broken, "the journal was cut off"), connection)
        }
    }

    /// Notes that nothing is written from now on.
    private func fail(_ error: JournalError, _ connection: Connection) -> JournalError {
        connection.rollback()
        failure = error
        failedGroup = groupsBegun
        groupsDone = groupsBegun
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

    /// Reads something; an error says which file it is about.
    func read<Result>(
        _ body: (Connection) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let connection = try connection()
        do throws(JournalError) {
            return try body(connection)
        } catch {
            throw file.located(error)
        }
    }

    /// What goes by the journal's keys.
    func fenceTable(_ connection: Connection) -> FenceTable {
        FenceTable(connection: connection)
    }

    func eventTable(_ connection: Connection, _ run: Int64) -> EventTable {
        EventTable(connection: connection, run: run)
    }
}
