import CloudModel
import SQLite

/// What must hold between the rows of an archive, beside what each line is checked for.
enum ArchiveCheck {
    /// Each query finds what must not be.
    private static let rules = [
        (
            "SELECT user FROM profiles WHERE user NOT IN (SELECT name FROM users)",
            "a profile without a user"
        ),
        (
            "SELECT user FROM handles WHERE user NOT IN (SELECT name FROM users)",
            "a handle without a user"
        ),
        (
            "SELECT user FROM sign_outs WHERE user NOT IN (SELECT name FROM users)",
            "a sign-out without a user"
        ),
        (
            """
            SELECT user FROM databases WHERE (scope = 'public') <> (user = '')
                OR user <> '' AND user NOT IN (SELECT name FROM users)
            """, "a database without a user"
        ),
        (
            "SELECT max(id) FROM databases GROUP BY id HAVING count(*) > 1",
            "two databases with one number"
        ),
        (
            "SELECT name FROM zones WHERE db NOT IN (SELECT id FROM databases)",
            "a zone without a database"
        ),
        (
            "SELECT name FROM zones JOIN databases ON id = db WHERE db_seq > databases.seq",
            "a zone beyond the end of its database's feed"
        ),
        (
            """
            SELECT min(name) FROM zones JOIN databases ON id = db
            WHERE scope <> 'shared' GROUP BY incarnation HAVING count(*) > 1
            """, "two zones with one instance number"
        ),
        (
            "SELECT name FROM records WHERE zone NOT IN (SELECT incarnation FROM zones)",
            "a record without a zone"
        ),
        (
            """
            SELECT z.name FROM zones AS z JOIN databases AS d ON d.id = z.db
            WHERE d.scope <> 'shared'
                AND (EXISTS (SELECT 1 FROM records WHERE zone = z.incarnation AND seq > z.seq)
                OR EXISTS (SELECT 1 FROM records WHERE zone = z.incarnation AND tag > d.tag))
            """, "a record beyond the end of its zone's feed, or the database's tags, in the zone"
        ),
        (
            "SELECT user FROM participations WHERE share NOT IN (SELECT id FROM share_records)",
            "a participation without a share"
        ),
        (
            "SELECT epoch FROM branches WHERE epoch NOT IN (SELECT epoch FROM epochs)",
            "a branch without an epoch"
        ),
        (
            "SELECT record FROM asset_links WHERE digest NOT IN (SELECT digest FROM assets)",
            "a record whose asset is missing"
        ),
    ]

    /// The first thing that does not fit, in words; nil: all of it does.
    ///
    /// - Parameter assets: Those of the archive.
    static func problem(
        _ tables: StoreTables, _ store: ArchiveStore, assets: [AssetDigest]
    ) throws(CloudError) -> String? {
        for (query, words) in rules {
            let found = try tables.rows("SELECT CAST(x AS TEXT) FROM (\(limited(query)))") {
                $0.text(at: 0)
            }
            if let name = found.first { return "the archive has \(words): \"\(name.prefix(80))\"" }
        }
        for asset in assets
        where try tables.number("SELECT 1 FROM asset_links WHERE digest = ?", asset.name) == nil {
            return "the archive has an asset without a record: \"\(asset.name)\""
        }
        for (table, column) in [
            ("zones", "incarnation"), ("shares", "id"), ("share_records", "id"),
        ] {
            let last = try tables.number("SELECT max(\(column)) FROM \(table)") ?? 0
            guard last <= store.incarnation else {
                return
                    "the archive has the number \(last), but declares \(store.incarnation) as "
                    + "the last"
            }
        }
        return nil
    }

    private static func limited(_ query: String) -> String {
        "WITH found (x) AS (\(query)) SELECT x FROM found LIMIT 1"
    }
}
