import CloudModel
import SQLite

/// Brings a file of an earlier version forward, in the open transaction.
struct JournalMigration {
    let connection: Connection

    func run(from version: Int64) throws(JournalError) {
        guard version >= 2 else { return try copyAll() }
        do throws(SQLiteError) {
            if version == 2 { try connection.execute(Self.additions) }
            try connection.execute(Self.removals)
        } catch {
            throw JournalError(error)
        }
    }

    /// Version 2 knew locks without tokens, and forgot nothing.
    private static let additions = """
        ALTER TABLE runs ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE runs ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE steps ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE locks ADD COLUMN namespace TEXT NOT NULL DEFAULT '';
        ALTER TABLE locks ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE tokens(last INTEGER NOT NULL) STRICT;
        INSERT INTO tokens VALUES(0);
        """

    /// Version 3 kept a keyed digest of each line of a plan, with the key in the same file.
    private static let removals = """
        ALTER TABLE plan_lines DROP COLUMN seal;
        ALTER TABLE runs DROP COLUMN plan_seal;
        """

    private func copyAll() throws(JournalError) {
        let tables = [
            "runs", "seen", "plan_lines", "steps", "failures", "events", "notes", "fences",
            "used_plans", "locks",
        ]
        do throws(SQLiteError) {
            try connection.execute("DROP INDEX steps_by_database")
            for table in tables {
                try connection.execute("ALTER TABLE \(table) RENAME TO old_\(table)")
            }
            try connection.execute(JournalSchema.tables)
            try connection.execute(Self.copies)
        } catch {
            guard !error.isConstraint else {
                throw JournalError(.corrupt, "is damaged: \(error.message)")
            }
            throw JournalError(error)
        }
        try copyFences()
        do throws(SQLiteError) {
            for table in tables { try connection.execute("DROP TABLE old_\(table)") }
        } catch {
            throw JournalError(error)
        }
    }

    /// Version 1 did not say which server was asked, and knew of a step only how
    /// many items had which outcome. Where that does not tell which item it was, all are asked for
    /// again: what is gone then counts as already gone.
    private static let copies = """
        INSERT INTO runs SELECT key, id, verb, environment, containers, '', 0, NULL, began, ended,
          stage, status, allow_partial,
          (SELECT count(*) FROM old_events WHERE run = key),
          coalesce((SELECT hash FROM old_events WHERE run = key ORDER BY number DESC LIMIT 1),
            zeroblob(32)),
          subjects, 0, 0, plan_digest, plan_header, plan_footer FROM old_runs;
        INSERT INTO reports SELECT key, report FROM old_runs WHERE report IS NOT NULL;
        INSERT OR IGNORE INTO seen SELECT run, pass, container, scope, kind,
          CASE kind WHEN 0 THEN '' ELSE zone END, CASE kind WHEN 0 THEN '' ELSE type END, name,
          detail, 0, CASE kind WHEN 0 THEN zone END, CASE kind WHEN 0 THEN type END
          FROM old_seen;
        INSERT INTO plan_lines SELECT run, number, line FROM old_plan_lines;
        INSERT INTO steps SELECT run, number, container, scope, kind, items,
          CASE state WHEN 3 THEN 1 ELSE state END, attempts,
          CASE WHEN state IN (2, 5) THEN min(deleted, items) ELSE 0 END,
          CASE WHEN state IN (2, 5) THEN items - min(deleted, items) ELSE 0 END,
          CASE state WHEN 4 THEN items ELSE 0 END, 0, 0, 0,
          CASE WHEN items > 0 AND state IN (2, 5) THEN CAST(
              substr(replace(printf('%.*c', items, 'x'), 'x', char(1)), 1, min(deleted, items))
              || substr(replace(printf('%.*c', items, 'x'), 'x', char(2)), 1,
                items - min(deleted, items)) AS BLOB)
            WHEN items > 0 AND state = 4
              THEN CAST(replace(printf('%.*c', items, 'x'), 'x', char(3)) AS BLOB)
            END
          FROM old_steps;
        INSERT INTO failures SELECT run, container, scope, kind, name, code, reason
          FROM old_failures;
        INSERT INTO events SELECT run, number, body, hash FROM old_events;
        INSERT INTO notes SELECT run, key, value FROM old_notes;
        INSERT INTO used_plans SELECT digest, run, at FROM old_used_plans;
        INSERT INTO locks SELECT key, run, host, boot, '', pid, ticks, since, 0 FROM old_locks;
        """

    private func copyFences() throws(JournalError) {
        let fences = FenceTable(connection: connection)
        let rows = try connection.list(
            "fences",
            "SELECT f.container, f.environment, f.scope, f.zone, f.run,"
                + " coalesce(r.id, ''), coalesce(r.began, 0) FROM old_fences f"
                + " LEFT JOIN runs r ON r.key = f.run"
        ) { row throws(JournalError) in
            let address = try Database.Address(
                container: row.container(), environment: row.named(), scope: row.named())
            let zone = RecordZone.ID(qualifiedName: try row.text())
            return (address, zone, try row.int64(), try row.text(), try row.timestamp())
        }
        for (address, zone, key, run, since) in rows {
            // A fence of a run that is not there any more stands for everybody.
            if run.isEmpty {
                try fences.insert(zone, at: address, run: run, since: since, user: "")
            } else {
                try fences.insert([zone], at: address, run: key)
            }
        }
    }
}
