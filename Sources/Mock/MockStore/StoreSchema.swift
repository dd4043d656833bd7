import SQLite

/// The store's tables, as they are made.
enum StoreSchema {
    /// Format 2 masks encrypted fields, format 3 sorts zones by name first, format 4 has share records.
    static let format: Int64 = 4

    /// Makes the tables, or upgrades those of an older format.
    static func make(_ connection: Connection) throws(SQLiteError) {
        let version = try connection.rows("PRAGMA user_version").first?.first?.int64 ?? 0
        guard version <= format else {
            throw SQLiteError(extendedCode: -1, message: "format \(version)")
        }
        try connection.transaction { () throws(SQLiteError) in
            switch version {
            case 0: try connection.execute(zones + rest)
            case 1, 2: try connection.execute(zonesUpgrade)
            default: break
            }
            try connection.execute(additions)
            try connection.execute("PRAGMA user_version = \(format)")
        }
    }

    /// The name first: SQLite compares the first of two columns several times faster.
    static let zones = """
        CREATE TABLE zones (
            db INTEGER, name TEXT, live INTEGER NOT NULL, db_seq INTEGER NOT NULL,
            incarnation INTEGER NOT NULL, seq INTEGER NOT NULL, floor INTEGER NOT NULL,
            purged INTEGER NOT NULL, PRIMARY KEY (name, db)
        ) WITHOUT ROWID;
        CREATE INDEX zones_by_place ON zones (\(ZoneTable.place));
        """

    /// From formats 1 and 2.
    static let zonesUpgrade = """
        ALTER TABLE zones RENAME TO older_zones;
        \(zones)
        INSERT INTO zones SELECT * FROM older_zones;
        DROP TABLE older_zones;
        """

    static let rest = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE users (
            name TEXT PRIMARY KEY, given TEXT, family TEXT, created INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE containers (name TEXT PRIMARY KEY, schema TEXT) WITHOUT ROWID;
        CREATE TABLE restrictions (
            container TEXT, environment TEXT, user TEXT,
            PRIMARY KEY (container, environment, user)
        ) WITHOUT ROWID;
        CREATE TABLE databases (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            scope TEXT NOT NULL, user TEXT NOT NULL, seq INTEGER NOT NULL,
            floor INTEGER NOT NULL, tag INTEGER NOT NULL,
            UNIQUE (container, environment, scope, user)
        );
        CREATE TABLE records (
            zone INTEGER, seq INTEGER, name TEXT NOT NULL, type TEXT, tag INTEGER NOT NULL,
            body BLOB, PRIMARY KEY (zone, seq)
        ) WITHOUT ROWID;
        CREATE INDEX records_by_type ON records (zone, type, seq) WHERE type IS NOT NULL;
        CREATE TABLE names (
            zone INTEGER, name TEXT, seq INTEGER NOT NULL, PRIMARY KEY (zone, name)
        ) WITHOUT ROWID;
        CREATE TABLE links (
            zone INTEGER, target TEXT, kind INTEGER, source TEXT,
            PRIMARY KEY (zone, target, kind, source)
        ) WITHOUT ROWID;
        CREATE TABLE doomed (incarnation INTEGER PRIMARY KEY);
        CREATE TABLE cascades (
            id INTEGER PRIMARY KEY, db INTEGER NOT NULL, zone INTEGER NOT NULL,
            name TEXT NOT NULL
        );
        CREATE TABLE subscriptions (
            db INTEGER, user TEXT, id TEXT, zone TEXT, body BLOB NOT NULL,
            PRIMARY KEY (db, user, id)
        ) WITHOUT ROWID;
        CREATE TABLE fields (
            container TEXT, environment TEXT, type TEXT, field TEXT, kind TEXT NOT NULL,
            list INTEGER NOT NULL, encrypted INTEGER NOT NULL,
            PRIMARY KEY (container, environment, type, field)
        ) WITHOUT ROWID;
        """

    /// Tables that stores made before them do not have.
    static let additions = """
        CREATE TABLE IF NOT EXISTS roles (
            container TEXT, environment TEXT, user TEXT, role TEXT,
            PRIMARY KEY (container, environment, user, role)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sign_outs (
            user TEXT, device TEXT, is_out INTEGER NOT NULL, PRIMARY KEY (user, device)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS profiles (
            user TEXT PRIMARY KEY, prefix TEXT, middle TEXT, suffix TEXT, nickname TEXT,
            phonetic TEXT, discoverable INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS handles (
            user TEXT, kind INTEGER, place INTEGER, text TEXT NOT NULL,
            PRIMARY KEY (user, kind, place)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS quotas (
            user TEXT, container TEXT, environment TEXT, room INTEGER NOT NULL,
            PRIMARY KEY (user, container, environment)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS pending_terms (user TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS expired_web_tokens (
            user TEXT, device TEXT, number INTEGER NOT NULL, PRIMARY KEY (user, device)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS spent_runs (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS spent_tokens (token TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS push_tokens (
            container TEXT, environment TEXT, token TEXT, apns TEXT NOT NULL,
            account TEXT NOT NULL, user TEXT NOT NULL, device TEXT, client TEXT, sign_in TEXT,
            PRIMARY KEY (container, environment, token)
        );
        CREATE TABLE IF NOT EXISTS shares (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            owner TEXT NOT NULL, zone TEXT NOT NULL, user TEXT NOT NULL,
            incarnation INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS uploads (
            id INTEGER PRIMARY KEY AUTOINCREMENT, db INTEGER NOT NULL, zone INTEGER NOT NULL,
            record TEXT, field TEXT, until INTEGER NOT NULL, kept INTEGER NOT NULL, digest TEXT,
            size INTEGER
        );
        CREATE INDEX IF NOT EXISTS uploads_by_zone ON uploads (zone, id);
        CREATE INDEX IF NOT EXISTS uploads_by_end ON uploads (kept);
        CREATE INDEX IF NOT EXISTS uploads_by_digest ON uploads (digest);
        CREATE TABLE IF NOT EXISTS assets (
            digest TEXT PRIMARY KEY, size INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS asset_links (
            zone INTEGER, record TEXT, field TEXT, digest TEXT,
            PRIMARY KEY (zone, record, field, digest)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS asset_links_by_digest ON asset_links (digest);
        CREATE TABLE IF NOT EXISTS share_records (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            owner TEXT NOT NULL, zone TEXT NOT NULL, incarnation INTEGER NOT NULL,
            name TEXT NOT NULL, root TEXT
        );
        CREATE INDEX IF NOT EXISTS share_records_by_root ON share_records (incarnation, root);
        CREATE INDEX IF NOT EXISTS share_records_by_owner
            ON share_records (owner, container, environment, id);
        CREATE TABLE IF NOT EXISTS participations (
            share INTEGER, user TEXT, writes INTEGER NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (share, user)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS hierarchy_places (
            feed INTEGER, seq INTEGER, zone INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER,
            PRIMARY KEY (feed, seq)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS hierarchy_places_by_name ON hierarchy_places (zone, name);
        CREATE INDEX IF NOT EXISTS hierarchy_places_gone ON hierarchy_places (zone, seq)
            WHERE tag IS NOT NULL;
        CREATE TABLE IF NOT EXISTS short_guids (
            guid TEXT PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL,
            owner TEXT NOT NULL, zone_name TEXT NOT NULL, zone INTEGER NOT NULL,
            name TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS short_guids_by_zone ON short_guids (zone, name);
        CREATE TABLE IF NOT EXISTS epochs (epoch INTEGER PRIMARY KEY, parent INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS branches (
            epoch INTEGER, place INTEGER, seq INTEGER NOT NULL, PRIMARY KEY (epoch, place)
        ) WITHOUT ROWID;
        """
}
