import SQLite

/// Takes runs that have ended out of the journal.
struct RunEraser {
    let connection: Connection

    /// Takes the names and texts of a run out. What stays: the run's row without whom it was about,
    /// how many items had which outcome, the chain of events, which holds no name, and the fences,
    /// by keyed digests.
    func forget(_ run: RunRow, report: [UInt8]?) throws(JournalError) {
        for table in ["seen", "links", "plan_lines", "failures"] {
            try connection.change("DELETE FROM \(table) WHERE run = ?", .integer(run.key))
        }
        try connection.change(
            "DELETE FROM notes WHERE run = ? AND key <> ?", .integer(run.key),
            .text(LastingNote.erasureRequest))
        try connection.change("DELETE FROM reports WHERE run = ?", .integer(run.key))
        if let report {
            try connection.change(
                "INSERT INTO reports(run, report) VALUES (?, ?)", .integer(run.key),
                .blob(report))
        }
        try connection.change("UPDATE fences SET zone = NULL WHERE run = ?", .text(run.id))
        try connection.change("DELETE FROM locks WHERE run = ?", .text(run.id))
        try connection.change(
            "UPDATE runs SET forgotten = 1, subjects = '', allow_partial = NULL,"
                + " plan_header = NULL, plan_footer = NULL WHERE key = ?",
            .integer(run.key))
    }

    /// Takes a run out, but for its fences and the digest of a plan that it used.
    func remove(_ run: RunRow) throws(JournalError) {
        try forget(run, report: nil)
        for table in ["steps", "events", "notes"] {
            try connection.change("DELETE FROM \(table) WHERE run = ?", .integer(run.key))
        }
        // Who used a plan is asked for as long as there are plan files.
        try connection.change(
            "UPDATE runs SET pruned = 1, events = 0, head = ? WHERE key = ? AND EXISTS (SELECT 1"
                + " FROM used_plans WHERE run = runs.key)", .blob(EventTable.root),
            .integer(run.key))
        guard connection.changes == 0 else { return }
        try connection.change("DELETE FROM runs WHERE key = ?", .integer(run.key))
    }
}
