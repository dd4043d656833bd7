extension Connection {
    /// Runs `body` in a transaction of its own: committed when it returns, undone when it throws.
    package func transaction<Result>(
        _ mode: TransactionMode = .immediate, _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try begin(mode)
        do throws(SQLiteError) {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs `body` inside the open transaction, undoing only its own changes when it throws.
    package func savepoint<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try beginSavepoint()
        do throws(SQLiteError) {
            let result = try body()
            try releaseSavepoint()
            return result
        } catch {
            rollbackToSavepoint()
            throw error
        }
    }

    /// Opens a transaction.
    package func begin(_ mode: TransactionMode = .immediate) throws(SQLiteError) {
        try prepare(mode.rawValue).run()
    }

    /// Makes the open transaction lasting, as far as the connection's `synchronous` goes.
    package func commit() throws(SQLiteError) {
        try prepare("COMMIT").run()
    }

    /// Undoes the open transaction; does nothing when there is none.
    package func rollback() {
        guard isInTransaction else { return }
        // A rollback fails only when SQLite has rolled back by itself already.
        try? prepare("ROLLBACK").run()
    }

    /// Marks a place inside the open transaction to come back to; they nest.
    package func beginSavepoint() throws(SQLiteError) {
        try prepare("SAVEPOINT mark").run()
    }

    /// Keeps what was changed since the newest mark.
    package func releaseSavepoint() throws(SQLiteError) {
        try prepare("RELEASE mark").run()
    }

    /// Undoes what was changed since the newest mark, and removes the mark.
    package func rollbackToSavepoint() {
        guard isInTransaction else { return }
        try? prepare("ROLLBACK TO mark").run()
        try? prepare("RELEASE mark").run()
    }
}
