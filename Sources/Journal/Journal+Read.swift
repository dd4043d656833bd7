import CloudModel
import SQLite

extension Journal {
    private static let runColumns =
        "key, id, verb, environment, containers, began, ended, stage, subjects, plan_digest,"
        + " plan_header, plan_footer, allow_partial, status, report"

    /// The runs, newest first.
    package func runs(limit: Int) throws(JournalError) -> [RunRow] {
        try read(
            "SELECT \(Self.runColumns) FROM runs ORDER BY key DESC LIMIT ?", .integer(Int64(limit))
        )
        .map(Self.run)
    }

    /// A run by its identifier.
    package func run(id: String) throws(JournalError) -> RunRow {
        guard
            let row = try read("SELECT \(Self.runColumns) FROM runs WHERE id = ?", .text(id)).first
        else { throw JournalError(.noSuchRun, "there is no run \(id)") }
        return Self.run(row)
    }

    /// A run by its key.
    package func run(key: Int64) throws(JournalError) -> RunRow {
        guard
            let row = try read("SELECT \(Self.runColumns) FROM runs WHERE key = ?", .integer(key))
                .first
        else { throw JournalError(.noSuchRun, "there is no such run") }
        return Self.run(row)
    }

    /// The run that used the plan; nil: it was not used yet.
    package func run(usingPlan digest: String) throws(JournalError) -> RunRow? {
        let rows = try read("SELECT run FROM used_plans WHERE digest = ?", .text(digest))
        guard let key = rows.first?[0].int64 else { return nil }
        return try run(key: key)
    }

    /// A note left under `key`.
    package func note(run: Int64, key: String) throws(JournalError) -> [UInt8]? {
        try read(
            "SELECT value FROM notes WHERE run = ? AND key = ?", .integer(run), .text(key)
        ).first?[0].bytes
    }

    /// Up to `limit` rows of a pass after `row`, sorted.
    package func seen(
        run: Int64, pass: Int, after row: SeenRow?, limit: Int
    ) throws(JournalError) -> [SeenRow] {
        let connection = try connection()
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                "SELECT container, scope, kind, zone, type, name, detail FROM seen"
                    + " WHERE run = ?1 AND pass = ?2"
                    + " AND (container, scope, kind, zone, type, name) > (?3, ?4, ?5, ?6, ?7, ?8)"
                    + " ORDER BY container, scope, kind, zone, type, name LIMIT ?9")
            defer { statement.reset() }
            let from = row ?? SeenRow(container: -1, scope: 0, kind: 0)
            statement.bind(1, run)
            statement.bind(2, pass)
            statement.bind(3, from.container)
            statement.bind(4, from.scope)
            statement.bind(5, from.kind)
            statement.bind(6, from.zone)
            statement.bind(7, from.type)
            statement.bind(8, from.name)
            statement.bind(9, limit)
            var rows: [SeenRow] = []
            while try statement.step() {
                rows.append(
                    SeenRow(
                        container: statement.int(at: 0), scope: statement.int(at: 1),
                        kind: statement.int(at: 2), zone: statement.text(at: 3),
                        type: statement.text(at: 4), name: statement.text(at: 5),
                        detail: statement.int(at: 6)))
            }
            return rows
        } catch {
            throw JournalError(error)
        }
    }

    /// Those of `rows` that a pass saw.
    ///
    /// - Parameter byNameOnly: Rows of this kind are the same when their names are.
    package func seen(
        _ rows: [SeenRow], run: Int64, pass: Int, byNameOnly: Int
    ) throws(JournalError) -> [SeenRow] {
        let connection = try connection()
        var found: [SeenRow] = []
        do throws(SQLiteError) {
            for row in rows {
                let isExact = row.kind != byNameOnly
                let statement = try connection.prepare(
                    "SELECT 1 FROM seen WHERE run = ?1 AND pass = ?2 AND container = ?3"
                        + " AND scope = ?4 AND kind = ?5 AND name = ?6"
                        + (isExact ? " AND zone = ?7 AND type = ?8" : "") + " LIMIT 1")
                defer { statement.reset() }
                statement.bind(1, run)
                statement.bind(2, pass)
                statement.bind(3, row.container)
                statement.bind(4, row.scope)
                statement.bind(5, row.kind)
                statement.bind(6, row.name)
                if isExact {
                    statement.bind(7, row.zone)
                    statement.bind(8, row.type)
                }
                if try statement.step() { found.append(row) }
            }
        } catch {
            throw JournalError(error)
        }
        return found
    }

    /// How many rows of each sort a pass saw.
    package func seenCounts(run: Int64, pass: Int) throws(JournalError) -> [SeenCount] {
        try read(
            "SELECT container, scope, kind, type, count(*) FROM seen WHERE run = ? AND pass = ?"
                + " GROUP BY container, scope, kind, type", .integer(run), .integer(Int64(pass))
        ).map {
            SeenCount(
                container: Int($0[0].int64 ?? 0), scope: Int($0[1].int64 ?? 0),
                kind: Int($0[2].int64 ?? 0), type: $0[3].string ?? "",
                count: Int($0[4].int64 ?? 0))
        }
    }

    /// How many rows of the pass `fresh` have no equal in the pass `planned`.
    ///
    /// Rows of the kind `byNameOnly` are the same when their names are; rows of the kind
    /// `notPlannable` do not count.
    package func unplanned(
        run: Int64, fresh: Int, planned: Int, byNameOnly: Int, notPlannable: Int
    ) throws(JournalError) -> Int {
        let same =
            "p.run = f.run AND p.pass = ?3 AND p.container = f.container"
            + " AND p.scope = f.scope AND p.kind = f.kind"
        let rows = try read(
            "SELECT (SELECT count(*) FROM seen f WHERE f.run = ?1 AND f.pass = ?2"
                + " AND f.kind NOT IN (?4, ?5) AND NOT EXISTS (SELECT 1 FROM seen p WHERE \(same)"
                + " AND p.zone = f.zone AND p.type = f.type AND p.name = f.name))"
                + " + (SELECT count(*) FROM seen f WHERE f.run = ?1 AND f.pass = ?2"
                + " AND f.kind = ?4 AND NOT EXISTS (SELECT 1 FROM seen p WHERE \(same)"
                + " AND p.name = f.name))", .integer(run), .integer(Int64(fresh)),
            .integer(Int64(planned)), .integer(Int64(byNameOnly)),
            .integer(Int64(notPlannable)))
        return Int(rows.first?[0].int64 ?? 0)
    }

    /// Up to `limit` lines of the plan from `number` on.
    package func planLines(
        run: Int64, from number: Int, limit: Int
    ) throws(JournalError) -> [(number: Int, line: [UInt8])] {
        try read(
            "SELECT number, line FROM plan_lines WHERE run = ? AND number >= ? ORDER BY number"
                + " LIMIT ?", .integer(run), .integer(Int64(number)), .integer(Int64(limit))
        ).map { (Int($0[0].int64 ?? 0), $0[1].bytes ?? []) }
    }

    /// Up to `limit` steps of one database from `number` on, in these states.
    package func steps(
        run: Int64, container: Int, scope: Int, from number: Int, in states: Set<StepState>,
        limit: Int
    ) throws(JournalError) -> [StepRow] {
        let list = states.map { String($0.rawValue) }.sorted().joined(separator: ",")
        return try read(
            "SELECT s.number, l.line, s.kind, s.items, s.state, s.attempts, s.deleted, s.gone,"
                + " s.failed FROM steps s JOIN plan_lines l ON l.run = s.run"
                + " AND l.number = s.number WHERE s.run = ? AND s.container = ? AND s.scope = ?"
                + " AND s.number >= ? AND s.state IN (\(list)) ORDER BY s.number LIMIT ?",
            .integer(run), .integer(Int64(container)), .integer(Int64(scope)),
            .integer(Int64(number)), .integer(Int64(limit))
        ).map { row in
            var outcome = StepOutcome()
            outcome.attempts = Int(row[5].int64 ?? 0)
            outcome.deleted = Int(row[6].int64 ?? 0)
            outcome.alreadyGone = Int(row[7].int64 ?? 0)
            outcome.failed = Int(row[8].int64 ?? 0)
            return StepRow(
                number: Int(row[0].int64 ?? 0), line: row[1].bytes ?? [], container: container,
                scope: scope, kind: Int(row[2].int64 ?? 0), items: Int(row[3].int64 ?? 0),
                state: StepState(rawValue: Int(row[4].int64 ?? 0)) ?? .planned, outcome: outcome)
        }
    }

    /// The steps of a run, added up by database and kind.
    package func stepSums(run: Int64) throws(JournalError) -> [StepSum] {
        try read(
            "SELECT container, scope, kind, count(*), sum(items),"
                + " count(*) FILTER (WHERE state >= 2), sum(attempts), sum(deleted), sum(gone),"
                + " sum(failed) FROM steps WHERE run = ? GROUP BY container, scope, kind",
            .integer(run)
        ).map { row in
            let numbers = row.map { Int($0.int64 ?? 0) }
            var outcome = StepOutcome()
            outcome.attempts = numbers[6]
            outcome.deleted = numbers[7]
            outcome.alreadyGone = numbers[8]
            outcome.failed = numbers[9]
            return StepSum(
                container: numbers[0], scope: numbers[1], kind: numbers[2], steps: numbers[3],
                items: numbers[4], settledSteps: numbers[5], outcome: outcome)
        }
    }

    /// The first `limit` failures of a run, and how many there are.
    package func failures(
        run: Int64, limit: Int
    ) throws(JournalError) -> (rows: [FailureRow], count: Int) {
        let rows = try read(
            "SELECT container, scope, kind, name, code, reason FROM failures WHERE run = ?"
                + " LIMIT ?", .integer(run), .integer(Int64(limit))
        ).map { row in
            FailureRow(
                container: Int(row[0].int64 ?? 0), scope: Int(row[1].int64 ?? 0),
                kind: row[2].string ?? "", name: row[3].string ?? "", code: row[4].string ?? "",
                reason: row[5].string ?? "")
        }
        let count = try read("SELECT count(*) FROM failures WHERE run = ?", .integer(run))
        return (rows, Int(count.first?[0].int64 ?? 0))
    }

    /// A secret of this journal, made at the first use; stays on this machine.
    package func secret(
        _ name: String, make: @Sendable () -> [UInt8]
    ) async throws(JournalError) -> [UInt8] {
        if let kept = try note(run: 0, key: name) { return kept }
        try await write([.noteOnce(key: name, value: make())], run: 0)
        guard let kept = try note(run: 0, key: name) else {
            throw JournalError(.corrupt, "the journal did not keep a secret")
        }
        return kept
    }

    /// The rows of a query.
    func read(_ sql: String, _ values: Value...) throws(JournalError) -> [[Value]] {
        let connection = try connection()
        do throws(SQLiteError) {
            let statement = try connection.prepare(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            var rows: [[Value]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
            }
            return rows
        } catch {
            throw JournalError(error)
        }
    }

    /// A text's lines.
    static func lines(_ text: String?) -> [String] {
        (text ?? "").split(separator: "\n").map(String.init)
    }

    private static func run(_ row: [Value]) -> RunRow {
        return RunRow(
            key: row[0].int64 ?? 0, id: row[1].string ?? "", verb: row[2].string ?? "",
            environment: Container.Environment(rawValue: row[3].string ?? "") ?? .development,
            containers: lines(row[4].string).compactMap { Container.ID($0) },
            began: Timestamp(milliseconds: row[5].int64 ?? 0),
            ended: row[6].int64.map { Timestamp(milliseconds: $0) },
            stage: RunRow.Stage(rawValue: Int(row[7].int64 ?? 0)) ?? .looking,
            subjects: lines(row[8].string), planDigest: row[9].string,
            planHeader: row[10].bytes, planFooter: row[11].bytes, allowPartial: row[12].string,
            status: row[13].int64.map { Int($0) }, report: row[14].bytes)
    }
}
