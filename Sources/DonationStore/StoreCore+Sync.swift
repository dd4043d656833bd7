import CloudModel
import DonationSync
import Donations
import SQLite

extension StoreCore {
    /// Makes the tables that a sync works in, gone with the connection.
    static let syncScratch = """
        CREATE TEMP TABLE gone(kind TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(kind, id))
          WITHOUT ROWID;
        CREATE TEMP TABLE shared(sort INTEGER NOT NULL, name TEXT NOT NULL,
          PRIMARY KEY(sort, name)) WITHOUT ROWID;
        """

    /// Deletes the rows in `temp.gone`, and takes the activities of the names in `temp.shared` out
    /// of the interactions that hold them (A14).
    ///
    /// - Parameter removal: What becomes of the rows' records; nil: nothing is noted of them.
    /// - Returns: How many rows went.
    func deleteGone(leaving removal: SyncRemoval?) throws(DonationError) -> Int {
        var removed = 0
        for kind in DeletionClauses.order {
            let clause = Clause("id IN (SELECT id FROM temp.gone WHERE kind = '\(kind.table)')")
            let rows = try number(kind, clause)
            guard rows > 0 else { continue }
            if let removal { try noteGone(kind, clause, removal) }
            try delete([clause], kind, rows)
            removed += rows
        }
        try scrub(Clause("nested_pid IN (SELECT name FROM temp.shared WHERE sort = 0)"))
        if removed > 0 { _ = try log("sync", removed: removed) }
        return removed
    }

    /// Notes the records of rows that are about to go.
    func noteGone(
        _ kind: DonationKind, _ clause: Clause, _ removal: SyncRemoval
    ) throws(DonationError) {
        try change(
            "INSERT OR REPLACE INTO sync_gone SELECT sync_name, sync_tag,"
                + " \(removal == .everywhere ? 1 : 0) FROM \(kind.table)"
                + " WHERE sync_name IS NOT NULL AND (\(clause.sql))", values: clause.values)
    }

    // MARK: Items that are to be offered again

    private static let lost = "lost-items-"

    /// Notes the indexes of which nobody knows which items other devices have deleted.
    func noteLostItems() throws(DonationError) {
        try change(
            "INSERT OR IGNORE INTO facts SELECT DISTINCT ? || ifnull(index_name, ''), '1'"
                + " FROM items WHERE siri = 0", .text(Self.lost))
    }

    /// The indexes that were noted; "" is the default one.
    func indexesWithLostItems() throws(DonationError) -> [String] {
        try texts(
            "SELECT substr(name, ?) FROM facts WHERE name GLOB ? ORDER BY name",
            .integer(Int64(Self.lost.utf8.count + 1)), .text(Self.lost + "*"))
    }

    /// Their items were offered again, or are not to be; nil: those of all indexes.
    func forgetLostItems(of index: String? = nil) throws(DonationError) {
        if let index {
            try change("DELETE FROM facts WHERE name = ?", .text(Self.lost + index))
        } else {
            try change("DELETE FROM facts WHERE name GLOB ?", .text(Self.lost + "*"))
        }
    }
}

// What a deletion by the app means for the other devices.
extension StoreCore {
    /// Notes, in the transaction of a deletion, what is to be sent because of it: the deletion
    /// itself when it is meant for all devices (R12), and the records of the rows that go.
    func prepareSync(
        _ selector: DonationSelector, _ clauses: DeletionClauses, _ scope: DeletionScope,
        _ receipt: DonationReceipt
    ) throws(DonationError) {
        let isExpiry = if case .expired = selector { true } else { false }
        let removal: SyncRemoval = isExpiry || scope == .everywhere ? .everywhere : .here
        for kind in DeletionClauses.order where receipt.removedCount(kind) > 0 {
            let records = "SELECT 1 FROM \(kind.table) WHERE sync_name IS NOT NULL LIMIT 1"
            guard try isAny(records) else { continue }
            for part in clauses.parts(kind) { try noteGone(kind, part.clause, removal) }
        }
        guard scope == .everywhere else { return }
        var sync = StoreSync(self)
        try Exchange.noteDeletion(selector, &sync, now: now)
    }

    /// Shows the activities that waited for an item.
    func unpark(_ item: Donation) throws(DonationError) {
        for kind in [DonationKind.activity, .savedActivity] {
            try change(
                "UPDATE \(kind.table) SET parked = NULL WHERE parked = 1 AND related = ?",
                .text(item.identifier))
        }
    }
}
