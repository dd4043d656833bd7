import FileSystem
import SQLite

/// The file of a journal: opened, checked, made or brought forward.
struct JournalFile: Sendable {
    let folder: String
    let isReadOnly: Bool

    var path: String { folder + "/journal.sqlite" }
    var isThere: Bool { files.facts(path) != nil }
    private var files: Files { Files(workingFolder: Files.currentFolder) }

    /// Opens the file, and makes folder and file where they are missing.
    func open() throws(JournalError) -> Connection {
        do throws(JournalError) {
            if !isReadOnly { try makeFolder() }
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
        case .broken, .locked, .fenced, .noSuchRun, .unfinished, .illegalMove, .tooMany,
            .chainBroken:
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

    // MARK: Version

    private func check(_ connection: Connection) throws(JournalError) {
        if !isReadOnly {
            do throws(SQLiteError) {
                try connection.useWriteAheadLog(.full)
            } catch {
                throw JournalError(error)
            }
        }
        switch try version(of: connection) {
        case nil where !isReadOnly, 1 where !isReadOnly:
            try bringForward(connection)
        case 1:
            // Reading changes nothing that was written, but an old file has to be brought forward
            // once to be read.
            try bringForward(try connect(readOnly: false))
        case JournalSchema.version: return
        case let version?:
            throw JournalError(
                .newerVersion, "has version \(version), which this tool does not know")
        case nil: throw JournalError(.corrupt, "is not a journal of this tool")
        }
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
        if version == 1 { try JournalMigration(connection: connection).run() }
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
