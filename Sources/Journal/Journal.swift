private import AsyncOperations
private import CloudModel
private import FoundationEssentials
private import Glibc
import SQLite

/// The sweep's ledger: what is meant, what was sent, what came of it. Decides nothing.
///
/// One SQLite file with a write-ahead log, synced at every commit. A write returns when it is on
/// disk; writes that wait together share one commit. After a failed write nothing more is
/// written: the file then says what was true before.
package actor Journal {
    private let executor = ThreadExecutor(label: "journal")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Called around each commit, for tests that end a run there: `true` before it, `false`
    /// after it. What it throws breaks the journal like a failing disk.
    package typealias CommitHook = @Sendable (_ isBefore: Bool) throws -> Void

    private let folder: String
    private let path: String
    private let isReadOnly: Bool
    private let hash: @Sendable ([UInt8]) -> [UInt8]
    private let isAlive: @Sendable (ProcessIdentity) -> Bool
    private let hook: CommitHook?
    private var opened: Connection?
    private var groupsBegun = 0
    private var groupsDone = 0
    private var failure: JournalError?
    private var failedGroup: Int?
    /// The end of the event chain of each run that was written to.
    var chains: [Int64: (count: Int, head: [UInt8])] = [:]
    /// How many commits were made, for measurements.
    package private(set) var commits = 0

    /// A journal in `folder`, which is made with mode 0700 when it is missing. The file is opened
    /// at the first use.
    ///
    /// - Parameters:
    ///   - hash: SHA-256, for the chain of events.
    ///   - isAlive: Whether the process that holds a lock still runs.
    package init(
        folder: String, readOnly: Bool = false, hash: @escaping @Sendable ([UInt8]) -> [UInt8],
        isAlive: @escaping @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() },
        hook: CommitHook? = nil
    ) {
        self.folder = folder
        path = folder + "/journal.sqlite"
        isReadOnly = readOnly
        self.hash = hash
        self.isAlive = isAlive
        self.hook = hook
    }

    /// Puts a finished file in its place, on disk: whoever looks sees the old one or the new one.
    package static func moveIntoPlace(_ draft: String, _ path: String) throws(JournalError) {
        guard unsafe rename(draft, path) == 0 else {
            throw JournalError(
                .inputOutput,
                "\(path) cannot be written: \(unsafe String(cString: strerror(errno)))")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // MARK: Writing

    /// Writes changes of one run, all or none, and returns when they are on disk.
    package func write(
        _ changes: [JournalChange], run: Int64
    ) async throws(JournalError) {
        try await inGroup { connection throws(JournalError) in
            for change in changes { try apply(change, run: run, connection) }
        }
    }

    /// Begins a run, together with its first changes.
    package func begin(
        _ start: RunStart, _ changes: [JournalChange]
    ) async throws(JournalError) -> RunRow {
        var key: Int64 = 0
        try await inGroup { connection throws(JournalError) in
            key = try insert(start, connection)
            for change in changes { try apply(change, run: key, connection) }
        }
        return try run(key: key)
    }

    /// Runs `body` in the transaction that is open, or in a new one, and waits for its commit.
    ///
    /// A lock held by others is no fault of the file: it undoes `body` alone.
    private func inGroup(
        _ body: (Connection) throws(JournalError) -> Void
    ) async throws(JournalError) {
        let connection = try connection()
        if let failure { throw failure }
        var locked: JournalError?
        do throws(SQLiteError) {
            if groupsBegun == groupsDone {
                try connection.begin()
                groupsBegun += 1
            }
            try connection.beginSavepoint()
        } catch {
            throw fail(located(JournalError(error)), connection)
        }
        let group = groupsBegun
        do throws(JournalError) {
            try body(connection)
        } catch {
            guard error.code == .locked else { throw fail(located(error), connection) }
            connection.rollbackToSavepoint()
            locked = error
        }
        do throws(SQLiteError) {
            if locked == nil { try connection.releaseSavepoint() }
        } catch {
            throw fail(located(JournalError(error)), connection)
        }
        // Whoever is in line already gets into the same commit.
        await Task.yield()
        if groupsDone < group {
            if let failure { throw failure }
            try commit(connection)
        } else if let failedGroup, group >= failedGroup, let failure {
            throw failure
        }
        if let locked { throw locked }
    }

    private func commit(_ connection: Connection) throws(JournalError) {
        do {
            try hook?(true)
            try connection.commit()
            commits += 1
            groupsDone = groupsBegun
        } catch let error as SQLiteError {
            throw fail(located(JournalError(error)), connection)
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

    /// SHA-256, as handed in.
    func digest(_ bytes: [UInt8]) -> [UInt8] { hash(bytes) }

    /// Whether a process still runs, as far as can be told.
    func seemsAlive(_ process: ProcessIdentity) -> Bool { isAlive(process) }

    // MARK: Opening

    /// The connection, opened and checked at the first use.
    func connection() throws(JournalError) -> Connection {
        if let opened { return opened }
        if !isReadOnly {
            // When this fails, what opening the file meets says why.
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        do throws(SQLiteError) {
            let connection = try Connection(.file(path), readOnly: isReadOnly)
            try check(connection)
            opened = connection
            return connection
        } catch {
            throw located(JournalError(error))
        }
    }

    /// The error with what it is about: the file, or the folder when that is to blame.
    private func located(_ error: JournalError) -> JournalError {
        switch error.code {
        case .cannotOpen:
            if let problem = folderProblem() {
                return JournalError(.cannotOpen, "the state folder \(folder) \(problem)")
            }
        case .corrupt, .newerVersion, .diskFull, .inputOutput, .busy: break
        case .broken, .locked, .noSuchRun, .illegalMove, .chainBroken: return error
        }
        return JournalError(error.code, "the journal \(path): \(error.reason)")
    }

    /// What keeps a file from being made in the folder; nil: nothing that can be told.
    private func folderProblem() -> String? {
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else {
            return "cannot be made or entered: \(unsafe String(cString: strerror(errno)))"
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return "is not a folder" }
        let rights = isReadOnly ? R_OK | X_OK : W_OK | X_OK
        guard unsafe access(folder, rights) == 0 else {
            return "cannot be used: \(unsafe String(cString: strerror(errno)))"
        }
        return nil
    }

    private func check(_ connection: Connection) throws(SQLiteError) {
        let marks =
            try connection.rows("PRAGMA application_id")
            + connection.rows(
                "PRAGMA user_version")
        let tables = try connection.rows("SELECT count(*) FROM sqlite_schema")
        let numbers = (marks + tables).map { $0.first?.int64 ?? 0 }
        if !isReadOnly { try connection.useWriteAheadLog(.full) }
        if numbers == [0, 0, 0] && !isReadOnly {
            try connection.transaction { () throws(SQLiteError) in
                // Somebody else may have been quicker.
                guard try connection.rows("SELECT 1 FROM sqlite_schema").isEmpty else { return }
                try connection.execute(JournalSchema.tables)
                try connection.execute(
                    "PRAGMA application_id = \(JournalSchema.applicationID);"
                        + "PRAGMA user_version = \(JournalSchema.version)")
            }
            return
        }
        guard numbers[0] == JournalSchema.applicationID else {
            throw SQLiteError(extendedCode: 26, message: "is not a journal of this tool")
        }
        guard numbers[1] == JournalSchema.version else {
            throw SQLiteError(
                extendedCode: 26,
                message: "has version \(numbers[1]), which this tool does not know")
        }
    }
}
