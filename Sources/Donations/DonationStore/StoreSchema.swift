import Donations

/// The tables of a donation store.
///
/// One table for each kind, all with the same columns, so that a deletion of a whole kind empties a
/// table at once. What no rule and no query looks at lies together in `body`. Version 2 adds what
/// a sync keeps, version 3 the pieces of the search tables, version 4 what is noted of rows that
/// are past their time by one clock only. Version 5 leaves out whether a zone is another one.
enum StoreSchema {
    /// Marks the file as ours: "ckdn".
    static let applicationID: Int64 = 0x636B_646E
    static let version: Int64 = 5
    /// The kinds whose texts can be searched.
    static let searchable: [DonationKind] = [.searchableItem, .savedActivity]

    static let columns = [
        "identifier", "grp", "pid", "saved_key", "related", "domain", "index_name", "type",
        "siri", "eligibility", "exotic", "begun", "ended", "donated", "expires", "entity_type",
        "entity", "nested", "nested_pid", "prediction", "action", "container", "scope", "zone",
        "owner", "record", "title", "display_name", "keywords", "description", "body",
        "hint",
    ]

    static var tables: String {
        DonationKind.donations.map { kind in
            let table = kind.table
            var sql = """
                CREATE TABLE \(table)(
                  id INTEGER PRIMARY KEY AUTOINCREMENT, identifier TEXT NOT NULL, grp TEXT,
                  pid TEXT, saved_key TEXT, related TEXT, domain TEXT, index_name TEXT,
                  type TEXT NOT NULL, siri INTEGER NOT NULL, eligibility INTEGER NOT NULL,
                  exotic INTEGER NOT NULL, begun INTEGER NOT NULL, ended INTEGER NOT NULL,
                  donated INTEGER NOT NULL, expires INTEGER, entity_type TEXT, entity TEXT,
                  nested INTEGER NOT NULL, nested_pid TEXT, prediction BLOB, action TEXT,
                  container TEXT, scope TEXT, zone TEXT, owner TEXT, record TEXT, title TEXT,
                  display_name TEXT, keywords TEXT, description TEXT, body BLOB NOT NULL,
                  hint INTEGER NOT NULL DEFAULT 0, slot INTEGER, general1 INTEGER, general2 INTEGER,
                  specific1 INTEGER, specific2 INTEGER);

                """
            if kind.hasIdentifier {
                sql += "CREATE UNIQUE INDEX \(table)_identifier ON \(table)(identifier);\n"
            }
            if kind == .savedActivity {
                sql += "CREATE UNIQUE INDEX saved_key ON saved(saved_key);\n"
            }
            for column in indexed(kind) {
                sql +=
                    "CREATE INDEX \(table)_\(column) ON \(table)(\(column))"
                    + " WHERE \(column) IS NOT NULL;\n"
            }
            sql += """
                CREATE INDEX \(table)_exotic ON \(table)(exotic) WHERE exotic = 1;
                CREATE INDEX \(table)_link ON \(table)(container, scope, zone, record)
                  WHERE container IS NOT NULL;

                """
            if searchable.contains(kind) {
                sql += SearchIndex.definition(of: table + "_text")
            }
            return sql
        }.joined() + markIndexes + others + sync
    }

    /// The columns with an index on the rows that have a value there.
    private static func indexed(_ kind: DonationKind) -> [String] {
        switch kind {
        case .interaction: ["grp", "type", "begun", "donated", "expires", "nested_pid"]
        case .activity:
            ["pid", "saved_key", "related", "domain", "type", "begun", "donated", "expires"]
        case .savedActivity: ["pid", "related", "domain", "type", "begun", "donated", "expires"]
        case .searchableItem: ["domain", "index_name", "entity_type", "donated", "expires"]
        default: ["type", "entity_type", "begun", "donated", "expires"]
        }
    }

    private static let others = """
        CREATE TABLE lists(
          kind TEXT NOT NULL, part TEXT NOT NULL, position INTEGER NOT NULL,
          identifier TEXT NOT NULL, title TEXT, phrase TEXT, payload BLOB NOT NULL,
          mentions BLOB NOT NULL, PRIMARY KEY(kind, part, position)) WITHOUT ROWID;
        CREATE TABLE images(
          name TEXT PRIMARY KEY, kind TEXT NOT NULL, row INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX images_row ON images(kind, row);
        CREATE TABLE client_states(name TEXT PRIMARY KEY, state BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE restricted(container TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE outcomes(
          sequence INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, call TEXT NOT NULL,
          kind TEXT, type TEXT, outcome TEXT, removed INTEGER NOT NULL, unmatched INTEGER NOT NULL,
          error TEXT);
        CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """
}

extension DonationKind {
    /// The table of the kind's rows.
    var table: String {
        switch self {
        case .interaction: "interactions"
        case .activity: "activities"
        case .savedActivity: "saved"
        case .searchableItem: "items"
        case .appIntent: "intents"
        default: preconditionFailure("\(self) is a list")
        }
    }

    /// Whether the app gives each row a name of its own.
    var hasIdentifier: Bool {
        self == .interaction || self == .searchableItem || self == .appIntent
    }
}
