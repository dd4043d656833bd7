import Donations
import SQLite

/// Takes what was deleted out of the files too.
///
/// SQLite overwrites deleted rows by itself (`secure_delete`). Two things it leaves: the words of
/// a search table, which only notes that a row is gone until all it has written is merged, and the
/// pages of an erased store, which are given back. Both are noted in the file, so that a run which
/// is ended before they are done leaves them to the next. A merge writes all of a search table anew:
/// that is why there are many (``SearchPiece``).
extension StoreCore {
    /// What is to be done, as a fact of the store.
    struct Cleaning {
        let fact: String

        /// The file is rewritten without its free pages.
        static let file = Cleaning(fact: "clean-file")

        private init(fact: String) { self.fact = fact }

        /// The pieces that a search table writes are merged into one.
        init(table: String) { self.init(fact: "clean-" + table) }

        /// What version 2 called the cleaning of a kind's only search table.
        init(olderOf kind: DonationKind) { self.init(fact: "clean-\(kind.table)") }
    }

    /// A search table is cleaned while the store is used once as many rows as this share of it
    /// were taken out; otherwise when it is closed: each cleaning reads all of it.
    private static let forgottenShare = 50
    /// Pages that one step of a merge writes at least, and may keep others waiting for.
    private static let mergePages = 256
    /// More steps than the largest search table needs.
    private static let mergesMax = 1 << 20

    /// Notes that a cleaning is needed.
    func noteCleaning(_ cleaning: Cleaning) throws(DonationError) {
        try change("INSERT OR IGNORE INTO facts VALUES (?, '1')", .text(cleaning.fact))
    }

    /// Notes that words of rows are in a search table without them.
    func noteForgotten(_ rows: Int, in table: String) throws(DonationError) {
        guard !isInMemory else { return }
        forgotten[table, default: 0] += rows
        try noteCleaning(Cleaning(table: table))
    }

    var isInMemory: Bool { configuration.directory.isEmpty }

    private func needs(_ cleaning: Cleaning) throws(SQLiteError) -> Bool {
        try !connection.rows(
            "SELECT 1 FROM facts WHERE name = ?", .text(cleaning.fact)
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
        for (table, rows) in forgotten.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kind(of: table), let most = try? rowsMax(table, kind),
                rows >= most / Self.forgottenShare
            else { continue }
            let isDone = (try? mergeSome(of: table)) ?? true
            guard isDone else { return true }
            forgotten[table] = nil
            hasDeleted = true
            return true
        }
        // The log still has the pages as they were.
        if hasDeleted { _ = try? connection.checkpoint(.truncate) }
        hasDeleted = false
        return false
    }

    /// The kind whose words a search table has.
    private static func kind(of table: String) -> DonationKind? {
        StoreSchema.searchable.first { table.hasPrefix($0.table + "_") }
    }

    /// More rows than a search table has.
    private func rowsMax(_ table: String, _ kind: DonationKind) throws(DonationError) -> Int {
        let layout = try layout(kind)
        let all = try tally(kind)
        return table == layout.first ? all : min(all, 1 << layout.bits)
    }

    /// Whether calls wait for another process that uses the file.
    private func waitsForOthers(_ waits: Bool) {
        connection.busyTimeout = waits ? configuration.busyTimeout : .zero
    }

    /// Takes up what a run that was ended has left: rewrites the file now, and the search tables
    /// when there is time.
    func resumeCleaning() {
        guard !isInMemory else { return }
        do throws(SQLiteError) {
            for table in try tablesToClean() { forgotten[table] = 1 }
            if try needs(.file) { cleanAll() }
        } catch {}
    }

    /// The search tables that have words without rows.
    private func tablesToClean() throws(SQLiteError) -> [String] {
        try connection.rows(
            "SELECT substr(name, 7) FROM facts WHERE name GLOB 'clean-*' AND name <> ?"
                + " ORDER BY name", .text(Cleaning.file.fact)
        ).compactMap { $0.first?.string }
    }

    /// Cleans all that is noted; what fails is left to the next time.
    func cleanAll() {
        guard !isBroken, !isInMemory else { return }
        for table in (try? tablesToClean()) ?? [] {
            for _ in 0..<Self.mergesMax {
                guard let isDone = try? mergeSome(of: table), !isDone else { break }
            }
            forgotten[table] = nil
        }
        do throws(SQLiteError) {
            guard try needs(.file) else { return }
            try connection.execute("VACUUM")
            try connection.run(
                "DELETE FROM facts WHERE name = ?", .text(Cleaning.file.fact))
        } catch {}
    }

    /// Merges some pages of what a search table has written, in a transaction of its own.
    ///
    /// - Returns: Whether nothing is left to merge.
    private func mergeSome(of table: String) throws(DonationError) -> Bool {
        do throws(SQLiteError) {
            let cleaning = Cleaning(table: table)
            guard try needs(cleaning) else { return true }
            let isMerged = try connection.transaction { () throws(SQLiteError) in
                let before = connection.totalChanges
                // Below nothing: all becomes one, in which deleted rows leave no word.
                try connection.execute(
                    "INSERT INTO \(table)(\(table), rank) VALUES ('merge', -\(Self.mergePages))")
                guard connection.totalChanges - before < 2 else { return false }
                try connection.run("DELETE FROM facts WHERE name = ?", .text(cleaning.fact))
                return true
            }
            guard isMerged else { return false }
        } catch {
            throw DonationError(error)
        }
        if let kind = Self.kind(of: table) { try dropIfEmpty(table, of: kind) }
        return true
    }
}
