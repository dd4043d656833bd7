import Basics
import SQLite

/// The runs, their reports, and which plans they used.
struct RunTable {
    let connection: Connection

    private static let columns =
        "key, id, verb, environment, containers, server, rehearsal, server_key, began, ended,"
        + " stage, subjects, plan_digest, plan_header, plan_footer, allow_partial,"
        + " status, forgotten"

    /// Adds a run, and gives its key.
    func insert(_ start: RunStart) throws(JournalError) -> Int64 {
        try connection.change(
            "INSERT INTO runs(id, verb, environment, containers, server, rehearsal, began,"
                + " allow_partial, events, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
            .text(start.id), .text(start.verb), .text(start.environment.rawValue),
            .text(start.containers.map(\.rawValue).joined(separator: "\n")),
            .text(start.server), .flag(start.isRehearsal), .time(start.began),
            .optional(start.allowPartial), .blob(EventTable.root))
        return connection.lastInsertRowID
    }

    /// The runs, newest first; with a limit of nil all of them.
    func all(limit: Int?) throws(JournalError) -> [RunRow] {
        try connection.list(
            "runs", "SELECT \(Self.columns) FROM runs WHERE pruned = 0 ORDER BY key DESC LIMIT ?",
            // A negative limit is none.
            .int(limit ?? -1), make: Self.row)
    }

    func run(id: String) throws(JournalError) -> RunRow {
        let rows = try connection.list(
            "runs", "SELECT \(Self.columns) FROM runs WHERE id = ? AND pruned = 0", .text(id),
            make: Self.row)
        guard let row = rows.first else {
            throw JournalError(.noSuchRun, "there is no run \(id)")
        }
        return row
    }

    func run(key: Int64) throws(JournalError) -> RunRow {
        let rows = try connection.list(
            "runs", "SELECT \(Self.columns) FROM runs WHERE key = ?", .integer(key),
            make: Self.row)
        guard let row = rows.first else {
            throw JournalError(.noSuchRun, "there is no such run")
        }
        return row
    }

    /// Runs that ended before a time, or that did not end and began before it.
    func keys(endedBefore time: Timestamp) throws(JournalError) -> [Int64] {
        try connection.list(
            "runs", "SELECT key FROM runs WHERE pruned = 0 AND coalesce(ended, began) < ?",
            .time(time)
        ) { row throws(JournalError) in try row.int64() }
    }

    // MARK: What becomes known

    func set(_ stage: RunRow.Stage, run: Int64) throws(JournalError) {
        try set("stage", .int(stage.rawValue), run: run)
    }

    func set(subjects: [String], run: Int64) throws(JournalError) {
        try set("subjects", .text(subjects.joined(separator: "\n")), run: run)
    }

    func set(serverKey: String, run: Int64) throws(JournalError) {
        try set("server_key", .text(serverKey), run: run)
    }

    func setPlan(
        digest: String, header: [UInt8], footer: [UInt8], run: Int64
    ) throws(JournalError) {
        try connection.change(
            "UPDATE runs SET plan_digest = ?, plan_header = ?, plan_footer = ?"
                + " WHERE key = ?", .text(digest), .blob(header), .blob(footer),
            .integer(run))
    }

    func end(
        at: Timestamp, status: Int, report: [UInt8], run: Int64
    ) throws(JournalError) {
        try connection.change(
            "UPDATE runs SET ended = ?, status = ? WHERE key = ?", .time(at), .int(status),
            .integer(run))
        try connection.change(
            "INSERT OR REPLACE INTO reports(run, report) VALUES (?, ?)", .integer(run),
            .blob(report))
    }

    func report(run: Int64) throws(JournalError) -> [UInt8]? {
        try connection.list(
            "reports", "SELECT report FROM reports WHERE run = ?", .integer(run)
        ) { row throws(JournalError) in try row.bytes() }.first
    }

    private func set(_ column: String, _ value: Value, run: Int64) throws(JournalError) {
        try connection.change(
            "UPDATE runs SET \(column) = ? WHERE key = ?", value, .integer(run))
    }

    // MARK: Used plans

    func usePlan(_ digest: String, at: Timestamp, run: Int64) throws(JournalError) {
        let known = try connection.list(
            "used_plans", "SELECT 1 FROM used_plans WHERE digest = ? OR run = ?", .text(digest),
            .integer(run)
        ) { row throws(JournalError) in try row.int() }
        guard known.isEmpty else {
            throw JournalError(.illegalMove, "a plan can be stored for a run only once")
        }
        try connection.change(
            "INSERT INTO used_plans(digest, run, at) VALUES (?, ?, ?)", .text(digest),
            .integer(run), .time(at))
    }

    func run(usingPlan digest: String) throws(JournalError) -> RunRow? {
        let keys = try connection.list(
            "used_plans", "SELECT run FROM used_plans WHERE digest = ?", .text(digest)
        ) { row throws(JournalError) in try row.int64() }
        guard let key = keys.first else { return nil }
        return try run(key: key)
    }

    func approval(run: Int64) throws(JournalError) -> (digest: String, at: Timestamp)? {
        try connection.list(
            "used_plans", "SELECT digest, at FROM used_plans WHERE run = ?", .integer(run)
        ) { row throws(JournalError) in (try row.text(), try row.timestamp()) }.first
    }

    private static func row(_ row: inout Fields) throws(JournalError) -> RunRow {
        try RunRow(
            key: row.int64(), id: row.text(), verb: row.text(), environment: row.named(),
            containers: row.containers(), server: row.text(), isRehearsal: row.flag(),
            serverKey: row.optionalText(), began: row.timestamp(),
            ended: row.optionalTimestamp(), stage: row.coded(), subjects: row.lines(),
            planDigest: row.optionalText(), planHeader: row.optionalBytes(),
            planFooter: row.optionalBytes(),
            allowPartial: row.optionalText(), status: row.optionalInt64().map { Int($0) },
            isForgotten: row.flag())
    }
}
