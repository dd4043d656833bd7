import FileSystem
import SQLite

extension ExportError {
    /// The system's number for a disk without room, and for a user who may have no more of it.
    private static let fullCodes: Set<Int32> = [28, 122]

    init(_ error: FileError) {
        self.init(
            Self.fullCodes.contains(error.code) ? .diskFull : .inputOutput, error.description)
    }

    init(_ error: SQLiteError) {
        let code: Code =
            error.isDiskFull ? .diskFull : error.isCorrupt ? .damaged : .inputOutput
        self.init(code, "\(ExportPath.state) cannot be used: \(error.message)")
    }
}

/// Runs `body`, whose files are an export's.
func exporting<Value>(
    _ body: () throws(FileError) -> Value
) throws(ExportError) -> Value {
    do throws(FileError) {
        return try body()
    } catch {
        throw ExportError(error)
    }
}
