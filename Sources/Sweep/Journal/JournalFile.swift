import FileSystem
import SQLite

/// The file of a journal: opened, checked, made or brought forward.
struct JournalFile: Sendable {
    let folder: String
    let isReadOnly: Bool

    var path: String { folder + "/journal.sqlite" }
    /// The write-ahead log.
    var logPath: String { path + "-wal" }
    /// The file whose places are locked.
    var lockPath: String { folder + "/locks" }
    var isThere: Bool { files.facts(path) != nil }
    /// Pages of 4 KiB that the log may hold before a commit copies them into the file. A copy waits for
    /// the disk three times, and meanwhile nothing can be sent: so seldom, that a sweep of 30,000 zones
    /// has none while it deletes.
    private static let logPagesMax = 8_000
    private var files: Files { Files(workingFolder: Files.currentFolder) }

    /// Opens the file, and makes folder and file where they are missing.
    func open() throws(JournalError) -> Connection {
        do throws(JournalError) {
            if !isReadOnly { try makeFolder() }
            try checkPlace()
            let connection = try connect(readOnly: isReadOnly)
            try check(connection)
            return connection
        } catch {
            throw located(error)
        }
    }

    /// The error with what it is about: the file, or the folder when that is to blame.
    func located(_ error: JournalError) -> JournalError {
        switch error.code {
        case .cannotOpen:
            if let problem = folderProblem() {
                return JournalError(.cannotOpen, "the state folder \(folder) \(problem)")
            }
        case .corrupt, .newerVersion, .diskFull, .inputOutput, .busy: break
        case .notPrivate, .broken, .locked, .fenced, .noSuchRun, .unfinished, .illegalMove,
            .tooMany, .chainBroken:
            return error
        }
        return JournalError(error.code, "the journal \(path): \(error.reason)")
    }

    private func makeFolder() throws(JournalError) {
        do throws(FileError) {
            try files.makeFolder(folder)
        } catch {
            throw JournalError(.cannotOpen, error.reason)
        }
    }

    /// What keeps a file from being made in the folder; nil: nothing that can be told.
    private func folderProblem() -> String? {
        files.problem(ofFolder: folder, forWriting: !isReadOnly)
    }

    private func connect(readOnly: Bool) throws(JournalError) -> Connection {
        do throws(SQLiteError) {
            return try Connection(.file(path), readOnly: readOnly)
        } catch {
            throw JournalError(error)
        }
    }

    /// Refuses a folder that others can look into or change, and what is no file in place of one:
    /// before anything is opened, which could wait for ever.
    private func checkPlace() throws(JournalError) {
        guard let facts = files.facts(folder), facts.isFolder else { return }
        guard facts.isOurs else {
            throw JournalError(
                .notPrivate,
                "the state folder \(folder) belongs to another user (number \(facts.owner)): "
                    + "use one of your own")
        }
        guard facts.mode & 0o077 == 0 else {
            throw JournalError(
                .notPrivate,
                "the state folder \(folder) has mode \(Self.octal(facts.mode)), so other users "
                    + "can read or change it: run \"chmod 700 \(folder)\"")
        }
        // Who may write to the folder above could put another one in its place. Where a folder is
        // sticky, as /tmp is, only its owner could.
        if let above = files.facts(folder + "/.."), above.mode & 0o1002 == 0o0002 {
            let name = folder.split(separator: "/").dropLast().joined(separator: "/")
            throw JournalError(
                .notPrivate,
                "every user can write to /\(name), which contains the state folder \(folder): "
                    + "run \"chmod o-w /\(name)\"")
        }
        for name in [path, logPath, path + "-shm"] {
            guard let facts = files.facts(name) else { continue }
            guard facts.isFile else {
                throw JournalError(.notPrivate, "\(name) is not a file: move it away")
            }
        }
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: Version

    private func check(_ connection: Connection) throws(JournalError) {
        if !isReadOnly {
            do throws(SQLiteError) {
                let hasLog = try connection.useWriteAheadLog(
                    .normal, checkpointPages: Self.logPagesMax)
                if !hasLog { try connection.execute("PRAGMA synchronous = FULL") }
                // What is deleted is overwritten.
                _ = try connection.rows("PRAGMA secure_delete = ON")
            } catch {
                throw JournalError(error)
            }
        }
        switch try versionAtOnce(of: connection) {
        case nil where !isReadOnly: try bringForward(connection)
        case 1, 2, 3:
            // Reading changes nothing that was written, but an old file has to be brought forward
            // once to be read.
            try bringForward(isReadOnly ? try connect(readOnly: false) : connection)
        case JournalSchema.version: return
        case let version?:
            throw JournalError(
                .newerVersion, "has version \(version), which this tool does not support")
        case nil: throw JournalError(.corrupt, "is not a journal of this tool")
        }
    }

    /// Whether there is a write-ahead log, which some file systems cannot have.
    func hasLog(_ connection: Connection) throws(JournalError) -> Bool {
        try connection.list("head", "PRAGMA journal_mode") { row throws(JournalError) in
            try row.text()
        } == ["wal"]
    }

    /// The version as of one moment: another process may be creating the tables.
    private func versionAtOnce(of connection: Connection) throws(JournalError) -> Int64? {
        do throws(SQLiteError) {
            try connection.begin(.deferred)
        } catch {
            throw JournalError(error)
        }
        defer { connection.rollback() }
        return try version(of: connection)
    }

    /// The version of the tables; nil: the file is empty.
    private func version(of connection: Connection) throws(JournalError) -> Int64? {
        let marks = try ["PRAGMA application_id", "PRAGMA user_version"].map {
            sql throws(JournalError) in
            try connection.list("head", sql) { row throws(JournalError) in try row.int64() }[0]
        }
        let tables = try connection.list("head", "SELECT count(*) FROM sqlite_schema") {
            row throws(JournalError) in try row.count()
        }
        if marks == [0, 0] && tables == [0] { return nil }
        guard marks[0] == JournalSchema.applicationID else {
            throw JournalError(.corrupt, "is not a journal of this tool")
        }
        return marks[1]
    }

    /// Makes the tables, or brings them forward; somebody else may have been quicker.
    private func bringForward(_ connection: Connection) throws(JournalError) {
        do throws(SQLiteError) {
            try connection.begin()
        } catch {
            throw JournalError(error)
        }
        defer { connection.rollback() }
        let version = try version(of: connection)
        if let version, version < JournalSchema.version {
            try JournalMigration(connection: connection).run(from: version)
        }
        do throws(SQLiteError) {
            if version == nil { try connection.execute(JournalSchema.tables) }
            try connection.execute(
                "PRAGMA application_id = \(JournalSchema.applicationID);"
                    + "PRAGMA user_version = \(JournalSchema.version)")
            try connection.commit()
        } catch {
            throw JournalError(error)
        }
    }
}
