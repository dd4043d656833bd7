import SQLite

extension DonationError {
    /// What a failure of SQLite means for the store. Never names a value.
    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case 5, 6: .busy
            case 11: .corrupt
            case 26: .foreignStore
            case 13: .diskFull
            case 14, 8, 3, 23: .cannotOpen
            case 18, 19, 20: .invalid
            default: .inputOutput
            }
        self.init(code, "\(error.message) (SQLite \(error.extendedCode))")
    }
}

/// Runs SQL, and says what a failure means for the store.
func sqlite<Result>(
    _ body: () throws(SQLiteError) -> Result
) throws(DonationError) -> Result {
    do throws(SQLiteError) {
        return try body()
    } catch {
        throw DonationError(error)
    }
}
