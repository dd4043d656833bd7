import Donations

/// The tables of a sync, and the columns it adds to the rows.
///
/// A row's record stands in the row itself: what replaces the row keeps it.
extension StoreSchema {
    /// The record's name and tag, how often the row was changed since, whether it cannot be sent,
    /// what its maker had not seen, who that was, the scan that last delivered it, and whether it
    /// waits for its item.
    static let syncColumns = [
        "sync_name", "sync_tag", "sync_edits", "sync_refused", "sync_context", "sync_device",
        "sync_seen", "parked",
    ]

    /// What version 2 adds to the tables of version 1.
    static var sync: String { syncColumnsOfRows + syncTables }

    private static var syncColumnsOfRows: String {
        DonationKind.donations.map { kind in
            let table = kind.table
            var sql = """
                ALTER TABLE \(table) ADD COLUMN sync_name TEXT;
                ALTER TABLE \(table) ADD COLUMN sync_tag TEXT;
                ALTER TABLE \(table) ADD COLUMN sync_edits INTEGER;
                ALTER TABLE \(table) ADD COLUMN sync_refused INTEGER;
                ALTER TABLE \(table) ADD COLUMN sync_context TEXT;
                ALTER TABLE \(table) ADD COLUMN sync_device TEXT;
                ALTER TABLE \(table) ADD COLUMN sync_seen INTEGER;
                ALTER TABLE \(table) ADD COLUMN parked INTEGER;
                CREATE INDEX \(table)_record ON \(table)(sync_name) WHERE sync_name IS NOT NULL;

                """
            if kind == .activity || kind == .savedActivity {
                sql += "CREATE INDEX \(table)_parked ON \(table)(related) WHERE parked = 1;\n"
            }
            return sql
        }.joined()
    }

    /// The condition of rows that the zone has not got as they are here.
    static let unsent = "(sync_tag IS NULL OR sync_edits > 0) AND sync_refused IS NULL"

    /// What an update sets besides when a row is no longer as its record.
    static let edited =
        "sync_refused = NULL, sync_edits = ifnull(sync_edits, 0) + (sync_name IS NOT NULL)"
    /// The same when the app donated the row again: it is this device's own then.
    static let donatedAgain = "sync_device = NULL, parked = NULL, " + edited

    /// The indexes that find such rows, while donations are exchanged: they cost at each donation.
    static var unsentIndexes: String {
        DonationKind.donations.map { kind in
            "CREATE INDEX IF NOT EXISTS \(kind.table)_unsent ON \(kind.table)(sync_refused)"
                + " WHERE \(unsent);\n"
        }.joined()
    }

    /// Takes those indexes away.
    static var noUnsentIndexes: String {
        DonationKind.donations.map { "DROP INDEX IF EXISTS \($0.table)_unsent;\n" }.joined()
    }

    private static let address =
        "container TEXT NOT NULL, environment TEXT NOT NULL, scope TEXT NOT NULL"

    private static let syncTables = """
        ALTER TABLE restricted RENAME TO restricted_before;
        CREATE TABLE restricted(
          container TEXT NOT NULL, by_sync INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY(container, by_sync)) WITHOUT ROWID;
        INSERT INTO restricted SELECT container, 0 FROM restricted_before;
        DROP TABLE restricted_before;
        CREATE TABLE sync_accounts(
          container TEXT NOT NULL, environment TEXT NOT NULL, identity TEXT,
          doubted INTEGER NOT NULL, suspended INTEGER NOT NULL, exchanges INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          PRIMARY KEY(container, environment)) WITHOUT ROWID;
        CREATE TABLE sync_databases(
          \(address), token TEXT, generation INTEGER NOT NULL, listing INTEGER NOT NULL,
          sweeping INTEGER NOT NULL, aborted INTEGER NOT NULL, exchange_dirty INTEGER NOT NULL,
          repeats INTEGER NOT NULL, not_before INTEGER,
          waits_since INTEGER, wait TEXT,
          failures INTEGER NOT NULL, halt TEXT, last_round INTEGER,
          PRIMARY KEY(container, environment, scope)) WITHOUT ROWID;
        CREATE TABLE sync_zones(
          id INTEGER PRIMARY KEY AUTOINCREMENT, \(address), owner TEXT NOT NULL,
          name TEXT NOT NULL, status TEXT NOT NULL, token TEXT, generation INTEGER NOT NULL,
          scanning INTEGER NOT NULL, aborted INTEGER NOT NULL, sweeping INTEGER NOT NULL,
          dirty INTEGER NOT NULL, repeats INTEGER NOT NULL, listed INTEGER NOT NULL,
          newest INTEGER, floor INTEGER, unlisted INTEGER NOT NULL,
          fenced_by TEXT, doubted INTEGER NOT NULL,
          swept TEXT, noted INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX sync_zones_name
          ON sync_zones(container, environment, scope, owner, name);
        CREATE INDEX sync_zones_dirty ON sync_zones(container, environment, scope)
          WHERE dirty = 1 OR sweeping = 1;
        CREATE INDEX sync_zones_doubted ON sync_zones(container, environment, scope)
          WHERE doubted = 1;
        CREATE INDEX sync_zones_listed ON sync_zones(container, environment, scope, listed)
          WHERE status IN ('live', 'unclear');
        CREATE TABLE sync_names(
          id INTEGER PRIMARY KEY, zone INTEGER NOT NULL, generation INTEGER NOT NULL,
          forgets INTEGER NOT NULL, digests BLOB NOT NULL);
        CREATE INDEX sync_names_zone ON sync_names(zone);
        CREATE INDEX sync_names_generation ON sync_names(zone, generation) WHERE forgets = 0;
        CREATE TABLE sync_refusals(
          container TEXT NOT NULL, scope TEXT, zone TEXT, owner TEXT, record TEXT);
        CREATE INDEX sync_refusals_zone ON sync_refusals(container, zone);
        CREATE TABLE sync_fences(
          \(address), owner TEXT NOT NULL, name TEXT NOT NULL, run TEXT NOT NULL,
          since INTEGER NOT NULL, lifted INTEGER NOT NULL DEFAULT 0, user TEXT,
          PRIMARY KEY(container, environment, scope, owner, name, run)) WITHOUT ROWID;
        CREATE TABLE sync_rescues(
          id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, cause TEXT NOT NULL,
          owner TEXT NOT NULL, zone TEXT NOT NULL, record TEXT, changes INTEGER NOT NULL);
        CREATE TABLE sync_counts(
          \(address), name TEXT NOT NULL, count INTEGER NOT NULL,
          PRIMARY KEY(container, environment, scope, name)) WITHOUT ROWID;
        CREATE TABLE sync_resurrected(
          \(address), owner TEXT NOT NULL, zone TEXT NOT NULL, records INTEGER NOT NULL,
          devices TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
          PRIMARY KEY(container, environment, scope, owner, zone)) WITHOUT ROWID;
        CREATE TABLE sync_exchange(
          id INTEGER PRIMARY KEY CHECK(id = 1), is_on INTEGER NOT NULL, facts BLOB NOT NULL);
        CREATE TABLE sync_own_deletions(
          sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, selector BLOB NOT NULL);
        CREATE TABLE sync_deletions(
          device TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL,
          keys TEXT NOT NULL, index_key TEXT, begins INTEGER NOT NULL, ends INTEGER NOT NULL,
          at INTEGER NOT NULL, generation INTEGER NOT NULL, stored_at INTEGER,
          PRIMARY KEY(device, sequence)) WITHOUT ROWID;
        """ + gone

    private static let gone = """
        CREATE TABLE sync_gone(
          name TEXT PRIMARY KEY, tag TEXT, deletes INTEGER NOT NULL, donated INTEGER,
          deletes_from INTEGER, asks_from INTEGER) WITHOUT ROWID;
        CREATE INDEX sync_gone_pending ON sync_gone(name) WHERE deletes = 1 AND tag IS NOT NULL;
        CREATE INDEX sync_gone_waiting ON sync_gone(asks_from)
          WHERE deletes = 0 AND asks_from IS NOT NULL;
        """

    /// What version 5 makes of the tables of versions 2 to 4.
    static let zonesOfVersion5 = "ALTER TABLE sync_zones DROP COLUMN survivor"

    /// What version 4 makes of the tables of versions 2 and 3.
    static let goneOfVersion4 = """
        DROP INDEX sync_gone_pending;
        ALTER TABLE sync_gone RENAME TO gone_before;
        \(gone)
        INSERT INTO sync_gone(name, tag, deletes) SELECT name, tag, deletes FROM gone_before;
        DROP TABLE gone_before;
        """
}
