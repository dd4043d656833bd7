/// The tables of a journal.
enum JournalSchema {
    /// Marks the file as ours: "cksj".
    static let applicationID: Int64 = 0x636B_736A
    static let version: Int64 = 4

    /// What is long and seldom read comes last in a row, or in a table of its own: rows of `runs`
    /// are written again with every event.
    static let tables = """
        CREATE TABLE runs(
          key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, verb TEXT NOT NULL,
          environment TEXT NOT NULL, containers TEXT NOT NULL, server TEXT NOT NULL,
          rehearsal INTEGER NOT NULL, server_key TEXT, began INTEGER NOT NULL, ended INTEGER,
          stage INTEGER NOT NULL DEFAULT 0, status INTEGER, allow_partial TEXT,
          events INTEGER NOT NULL, head BLOB NOT NULL, subjects TEXT NOT NULL DEFAULT '',
          forgotten INTEGER NOT NULL DEFAULT 0, pruned INTEGER NOT NULL DEFAULT 0,
          plan_digest TEXT, plan_header BLOB, plan_footer BLOB) STRICT;
        CREATE TABLE reports(run INTEGER PRIMARY KEY, report BLOB NOT NULL) STRICT;
        CREATE TABLE seen(
          run INTEGER NOT NULL, look INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, zone TEXT NOT NULL, type TEXT NOT NULL,
          name TEXT NOT NULL, detail INTEGER NOT NULL, kept INTEGER NOT NULL, its_zone TEXT,
          its_type TEXT, PRIMARY KEY(run, look, container, scope, kind, zone, type, name))
          WITHOUT ROWID, STRICT;
        CREATE TABLE links(
          run INTEGER NOT NULL, look INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, zone TEXT NOT NULL, target TEXT NOT NULL, name TEXT NOT NULL,
          type TEXT NOT NULL, others INTEGER NOT NULL,
          PRIMARY KEY(run, look, container, scope, zone, target, name)) WITHOUT ROWID, STRICT;
        CREATE TABLE types(
          container TEXT NOT NULL, environment TEXT NOT NULL, type TEXT NOT NULL,
          PRIMARY KEY(container, environment, type)) WITHOUT ROWID, STRICT;
        CREATE TABLE plan_lines(
          run INTEGER NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL,
          PRIMARY KEY(run, number)) STRICT;
        CREATE TABLE steps(
          run INTEGER NOT NULL, number INTEGER NOT NULL, container INTEGER NOT NULL,
          scope INTEGER NOT NULL, kind INTEGER NOT NULL, items INTEGER NOT NULL,
          state INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
          deleted INTEGER NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0,
          failed INTEGER NOT NULL DEFAULT 0, deferred INTEGER NOT NULL DEFAULT 0,
          spared INTEGER NOT NULL DEFAULT 0, claim INTEGER NOT NULL DEFAULT 0, outcomes BLOB,
          PRIMARY KEY(run, number)) WITHOUT ROWID, STRICT;
        CREATE INDEX steps_by_database ON steps(run, container, scope, number);
        CREATE TABLE failures(
          run INTEGER NOT NULL, container INTEGER NOT NULL, scope INTEGER NOT NULL,
          kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL,
          PRIMARY KEY(run, container, scope, kind, name)) WITHOUT ROWID, STRICT;
        CREATE TABLE events(
          run INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL,
          PRIMARY KEY(run, number)) WITHOUT ROWID, STRICT;
        CREATE TABLE notes(
          run INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
          PRIMARY KEY(run, key)) WITHOUT ROWID, STRICT;
        CREATE TABLE fences(
          container TEXT NOT NULL, environment TEXT NOT NULL, scope TEXT NOT NULL,
          digest BLOB NOT NULL, zone TEXT, run TEXT NOT NULL, since INTEGER NOT NULL,
          user TEXT NOT NULL,
          PRIMARY KEY(container, environment, scope, digest)) WITHOUT ROWID, STRICT;
        CREATE TABLE used_plans(
          digest TEXT PRIMARY KEY, run INTEGER NOT NULL UNIQUE, at INTEGER NOT NULL)
          WITHOUT ROWID, STRICT;
        CREATE TABLE locks(
          key TEXT PRIMARY KEY, run TEXT NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,
          namespace TEXT NOT NULL, pid INTEGER NOT NULL, ticks INTEGER NOT NULL,
          since INTEGER NOT NULL, token INTEGER NOT NULL) WITHOUT ROWID, STRICT;
        CREATE TABLE tokens(last INTEGER NOT NULL) STRICT;
        INSERT INTO tokens VALUES(0);
        """
}
