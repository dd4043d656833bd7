import Donations
import SQLite

/// Takes what was deleted out of the files too.
///
/// SQLite overwrites deleted rows by itself (`secure_delete`). Two things it leaves: the words of
/// a search table, which only notes that a row is gone until its pieces are merged, and the pages
/// of an erased store, which are given back. Both are noted in the file, so that a run which is
/// ended before they are done leaves them to the next.
extension StoreCore {
    /// What is to be done, as a fact of the store.
    enum Cleaning: String {
        /// The file is rewritten without its free pages.
        case file = "clean-file"
        /// The pieces of the search tables are merged.
        case items = "clean-items"
        case saved = "clean-saved"

        init?(wordsOf kind: DonationKind) {
            self.init(rawValue: "clean-\(kind.table)")
        }
    }

    /// A search table is cleaned while the store is used once as many rows as this share of it
    /// were taken out; otherwise when it is closed: each cleaning reads all of it.
    private static let forgottenShare = 50
    /// Pages that one piece of a merge writes at least, and may keep others waiting for.
    private static let mergePages = 256
    /// More pieces than the largest search table has.
    private static let mergesMax = 1 << 20

    /// Notes that a cleaning is needed.
    func noteCleaning(_ cleaning: Cleaning) throws(DonationError) {
        try sqlite { () throws(SQLiteError) in
            try connection.run(
                "INSERT OR IGNORE INTO facts VALUES (?, '1')", .text(cleaning.rawValue))
        }
    }

    /// Notes that words of rows are in the file without them.
    func noteForgotten(_ rows: Int, of kind: DonationKind) throws(DonationError) {
        guard !isInMemory, let cleaning = Cleaning(wordsOf: kind) else { return }
        forgotten[kind, default: 0] += rows
        try noteCleaning(cleaning)
    }

    var isInMemory: Bool { configuration.directory.isEmpty }

    private func needs(_ cleaning: Cleaning) throws(SQLiteError) -> Bool {
        try !connection.rows(
            "SELECT 1 FROM facts WHERE name = ?", .text(cleaning.rawValue)
        ).isEmpty
    }

    /// Cleans a little while nobody waits.
    ///
    /// - Returns: Whether there is more to do.
    func cleanWhileIdle() -> Bool {
        guard !forgotten.isEmpty || hasDeleted, !isBroken, configuration.cleansWhileIdle else {
            return false
        }
        waitsForOthers(false)
        defer { waitsForOthers(true) }
        for kind in StoreSchema.searchable {
            guard let rows = forgotten[kind], let total = try? tally(kind),
                rows >= total / Self.forgottenShare
            else { continue }
            let isDone = (try? mergeSome(of: kind)) ?? true
            guard isDone else { return true }
            forgotten[kind] = nil
            hasDeleted = true
            return true
        }
        // The log still has the pages as they were.
        if hasDeleted { _ = try? connection.checkpoint(.truncate) }
        hasDeleted = false
        return false
    }

    /// Whether calls wait for another process that uses the file.
    private func waitsForOthers(_ waits: Bool) {
        let time = waits ? configuration.busyTimeout : .zero
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        _ = try? connection.rows("PRAGMA busy_timeout = \(milliseconds)")
    }

    /// Takes up what a run that was ended has left: rewrites the file now, and the search tables
    /// when there is time.
    func resumeCleaning() {
        guard !isInMemory else { return }
        do throws(SQLiteError) {
            for kind in StoreSchema.searchable {
                guard let cleaning = Cleaning(wordsOf: kind), try needs(cleaning) else { continue }
                forgotten[kind] = 1
            }
            if try needs(.file) { cleanAll() }
        } catch {}
    }

    /// Cleans all that is noted; what fails is left to the next time.
    func cleanAll() {
        guard !isBroken, !isInMemory else { return }
        for kind in StoreSchema.searchable {
            for _ in 0..<Self.mergesMax {
                guard let isDone = try? mergeSome(of: kind), !isDone else { break }
            }
            forgotten[kind] = nil
        }
        do throws(SQLiteError) {
            guard try needs(.file) else { return }
            try connection.execute("VACUUM")
            try connection.run(
                "DELETE FROM facts WHERE name = ?", .text(Cleaning.file.rawValue))
        } catch {}
    }

    /// Merges some pages of a search table's pieces, in a transaction of its own.
    ///
    /// - Returns: Whether nothing is left to merge.
    private func mergeSome(of kind: DonationKind) throws(SQLiteError) -> Bool {
        guard let cleaning = Cleaning(wordsOf: kind), try needs(cleaning) else { return true }
        return try connection.transaction { () throws(SQLiteError) in
            let before = connection.totalChanges
            // Below nothing: all pieces become one, in which deleted rows leave no word.
            try connection.execute(
                "INSERT INTO \(kind.table)_text(\(kind.table)_text, rank)"
                    + " VALUES ('merge', -\(Self.mergePages))")
            guard connection.totalChanges - before < 2 else { return false }
            try connection.run(
                "DELETE FROM facts WHERE name = ?", .text(cleaning.rawValue))
            return true
        }
    }
}
