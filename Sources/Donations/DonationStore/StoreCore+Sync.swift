import DonationSync
import Donations
import SQLite

extension StoreCore {
    /// Makes the tables that a sync works in, gone with the connection.
    static let syncScratch = """
        CREATE TEMP TABLE removed(kind TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(kind, id))
          WITHOUT ROWID;
        CREATE TEMP TABLE shared(sort INTEGER NOT NULL, name TEXT NOT NULL,
          PRIMARY KEY(sort, name)) WITHOUT ROWID;
        """

    /// Deletes the rows in `temp.removed`, and takes the activities of the names in `temp.shared` out
    /// of the interactions that hold them (A14).
    ///
    /// - Parameter removal: What becomes of the rows' records; nil: nothing is noted of them.
    /// - Returns: How many rows went.
    func deleteGone(leaving removal: SyncRemoval?) throws(DonationError) -> Int {
        var removed = 0
        for kind in DeletionClauses.order {
            let clause = Clause("id IN (SELECT id FROM temp.removed WHERE kind = '\(kind.table)')")
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
    ///
    /// - Parameter expiry: When the rows are past their time by this device's clock only: the moment
    ///   that it showed.
    func noteGone(
        _ kind: DonationKind, _ clause: Clause, _ removal: SyncRemoval, expiry: Int64? = nil
    ) throws(DonationError) {
        let isHere = removal == .here
        // What goes with an expired row has another date, or none: this moment is late enough.
        let from = "min(ifnull(expires, ?1), ?1)"
        try change(
            "INSERT OR REPLACE INTO sync_gone SELECT sync_name, sync_tag, \(isHere ? 0 : 1),"
                + " \(isHere ? "donated" : "NULL"), \(from), \(from) FROM \(kind.table)"
                + " WHERE sync_name IS NOT NULL AND (\(clause.sql))",
            values: [.integer(orNull: expiry)] + clause.values)
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
        var sync = StoreSync(self)
        if case .expired(let moment) = selector {
            try noteGone(clauses, .here, receipt, expiry: moment)
            guard let time = try sync.exchange().serverTime?.milliseconds else { return }
            let byBothClocks = DeletionClauses(.expired(atMilliseconds: min(moment, time)))
            return try noteGone(byBothClocks, .everywhere, receipt)
        }
        try noteGone(clauses, scope == .everywhere ? .everywhere : .here, receipt)
        guard scope == .everywhere else { return }
        try Exchange.noteDeletion(selector, &sync, now: now)
    }

    private func noteGone(
        _ clauses: DeletionClauses, _ removal: SyncRemoval, _ receipt: DonationReceipt,
        expiry: Int64? = nil
    ) throws(DonationError) {
        for kind in DeletionClauses.order where receipt.removedCount(kind) > 0 {
            let records = "SELECT 1 FROM \(kind.table) WHERE sync_name IS NOT NULL LIMIT 1"
            guard try isAny(records) else { continue }
            for part in clauses.parts(kind) {
                try noteGone(kind, part.clause, removal, expiry: expiry)
            }
        }
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
