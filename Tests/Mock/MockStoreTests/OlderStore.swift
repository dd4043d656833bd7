import SQLite

/// Turns a store's file, which nobody has open, into one of format 1 or 2: its zones are sorted by
/// database first.
func makeOlder(_ path: String, format: Int) throws -> Connection {
    let connection = try Connection(.file(path))
    try connection.execute(
        """
        ALTER TABLE zones RENAME TO newer_zones;
        CREATE TABLE zones (
            db INTEGER, name TEXT, live INTEGER NOT NULL, db_seq INTEGER NOT NULL,
            incarnation INTEGER NOT NULL, seq INTEGER NOT NULL, floor INTEGER NOT NULL,
            purged INTEGER NOT NULL, PRIMARY KEY (db, name)
        ) WITHOUT ROWID;
        CREATE INDEX zones_by_change ON zones (db, live, db_seq);
        INSERT INTO zones SELECT * FROM newer_zones;
        DROP TABLE newer_zones;
        PRAGMA user_version = \(format);
        """)
    return connection
}

/// The same into one of format 3, where a zone was shared without a share record: who may see it is all
/// that was kept.
func makeShareless(_ path: String) throws {
    let connection = try Connection(.file(path))
    try connection.execute(
        """
        DROP TABLE share_records;
        DROP TABLE participations;
        DROP TABLE hierarchy_places;
        DROP TABLE short_guids;
        DELETE FROM names WHERE name = 'cloudkit.zoneshare';
        DELETE FROM records WHERE type = 'cloudkit.share';
        PRAGMA user_version = 3;
        """)
}
