/// The tables of a journal.
enum JournalSchema {
    /// Marks the file as ours: "cksj".
    static let applicationID: Int64 = 0x636B_736A
    static let version: Int64 = 1

    static let tables = """
        CREATE TABLE runs(
          key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, verb TEXT NOT NULL,
          environment TEXT NOT NULL, containers TEXT NOT NULL, began INTEGER NOT NULL,
          ended INTEGER, stage INTEGER NOT NULL DEFAULT 0, subjects TEXT NOT NULL DEFAULT '',
          plan_digest TEXT, plan_header BLOB, plan_footer BLOB, allow_partial TEXT,
          status INTEGER, report BLOB);
        CREATE TABLE seen(
          run INTEGER NOT NULL, pass INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, zone TEXT NOT NULL, type TEXT NOT NULL,
          name TEXT NOT NULL, detail INTEGER NOT NULL,
          PRIMARY KEY(run, pass, container, scope, kind, zone, type, name)) WITHOUT ROWID;
        CREATE TABLE plan_lines(
          run INTEGER NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL,
          PRIMARY KEY(run, number));
        CREATE TABLE steps(
          run INTEGER NOT NULL, number INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, items INTEGER NOT NULL,
          state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
          deleted INTEGER NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0,
          failed INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY(run, number)) WITHOUT ROWID;
        CREATE INDEX steps_by_database ON steps(run, container, scope, number);
        CREATE TABLE failures(
          run INTEGER NOT NULL, container INTEGER NOT NULL, scope INTEGER NOT NULL,
          kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL,
          PRIMARY KEY(run, container, scope, kind, name)) WITHOUT ROWID;
        CREATE TABLE events(
          run INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL,
          PRIMARY KEY(run, number)) WITHOUT ROWID;
        CREATE TABLE notes(
          run INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
          PRIMARY KEY(run, key)) WITHOUT ROWID;
        CREATE TABLE fences(
          container TEXT NOT NULL, environment TEXT NOT NULL, scope TEXT NOT NULL,
          zone TEXT NOT NULL, run INTEGER NOT NULL,
          PRIMARY KEY(container, environment, scope, zone)) WITHOUT ROWID;
        CREATE TABLE used_plans(
          digest TEXT PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE locks(
          key TEXT PRIMARY KEY, run TEXT NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,
          pid INTEGER NOT NULL, ticks INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
        """
}
