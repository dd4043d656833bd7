import CloudModel
import SQLite

extension Journal {
    /// Writes one change in the open transaction.
    func apply(
        _ change: JournalChange, run: Int64, _ connection: Connection
    ) throws(JournalError) {
        do throws(SQLiteError) {
            switch change {
            case .seen(let pass, let rows):
                try insert(rows, pass: pass, run: run, connection)
            case .detail(let pass, let row):
                try setDetail(row, pass: pass, run: run, connection)
            case .forget(let pass):
                try connection.run(
                    "DELETE FROM seen WHERE run = ? AND pass = ?", .integer(run),
                    .integer(Int64(pass)))
            case .planLines(let lines):
                try insert(lines, run: run, connection)
            case .dropPlan:
                try connection.run("DELETE FROM plan_lines WHERE run = ?", .integer(run))
                try connection.run("DELETE FROM steps WHERE run = ?", .integer(run))
            case .failures(let rows):
                try insert(rows, run: run, connection)
            case .dropFailures:
                try connection.run("DELETE FROM failures WHERE run = ?", .integer(run))
            case .allVerified:
                try connection.run(
                    "UPDATE steps SET state = \(StepState.verified.rawValue) WHERE run = ?"
                        + " AND state = \(StepState.acknowledged.rawValue)", .integer(run))
            case .note(let key, let value):
                try connection.run(
                    "INSERT INTO notes(run, key, value) VALUES (?, ?, ?)"
                        + " ON CONFLICT(run, key) DO UPDATE SET value = excluded.value",
                    .integer(run), .text(key), .blob(value))
            case .noteOnce(let key, let value):
                try connection.run(
                    "INSERT OR IGNORE INTO notes(run, key, value) VALUES (?, ?, ?)",
                    .integer(run), .text(key), .blob(value))
            case .fences(let container, let environment, let scope, let zones):
                for zone in zones {
                    try connection.run(
                        "INSERT OR REPLACE INTO fences VALUES (?, ?, ?, ?, ?)",
                        .text(container.rawValue), .text(environment.rawValue),
                        .text(scope.rawValue), .text(zone), .integer(run))
                }
            case .liftFence(let address, let zone):
                try connection.run(
                    "DELETE FROM fences WHERE container = ? AND environment = ? AND scope = ?"
                        + " AND zone = ?", .text(address.container.rawValue),
                    .text(address.environment.rawValue), .text(address.scope.rawValue),
                    .text(zone))
            case .subjects(let subjects):
                try connection.run(
                    "UPDATE runs SET subjects = ? WHERE key = ?",
                    .text(subjects.joined(separator: "\n")), .integer(run))
            case .plan(let digest, let header, let footer):
                try connection.run(
                    "UPDATE runs SET plan_digest = ?, plan_header = ?, plan_footer = ?"
                        + " WHERE key = ?", .text(digest), .blob(header), .blob(footer),
                    .integer(run))
            case .stage(let stage):
                try connection.run(
                    "UPDATE runs SET stage = ? WHERE key = ?", .integer(Int64(stage.rawValue)),
                    .integer(run))
            case .ended(let at, let status, let report):
                try connection.run(
                    "UPDATE runs SET ended = ?, status = ?, report = ? WHERE key = ?",
                    .integer(at.milliseconds), .integer(Int64(status)), .blob(report),
                    .integer(run))
            case .unlock:
                try connection.run(
                    "DELETE FROM locks WHERE run = (SELECT id FROM runs WHERE key = ?)",
                    .integer(run))
            case .unlockAll(let holder):
                try connection.run("DELETE FROM locks WHERE run = ?", .text(holder))
            case .step, .event, .usePlan, .lock:
                break
            }
        } catch {
            throw JournalError(error)
        }
        switch change {
        case .step(let number, let state, let outcome):
            try move(step: number, to: state, outcome, run: run, connection)
        case .event(let body): try append(event: body, run: run, connection)
        case .usePlan(let digest, let at): try usePlan(digest, at: at, run: run, connection)
        case .lock(let keys, let holder): try lock(keys, for: holder, connection)
        default: break
        }
    }

    /// Adds a run's row.
    func insert(_ start: RunStart, _ connection: Connection) throws(JournalError) -> Int64 {
        do throws(SQLiteError) {
            try connection.run(
                "INSERT INTO runs(id, verb, environment, containers, began, allow_partial)"
                    + " VALUES (?, ?, ?, ?, ?, ?)", .text(start.id), .text(start.verb),
                .text(start.environment.rawValue),
                .text(start.containers.map(\.rawValue).joined(separator: "\n")),
                .integer(start.began.milliseconds),
                start.allowPartial.map { .text($0) } ?? .null)
            return connection.lastInsertRowID
        } catch {
            throw JournalError(error)
        }
    }

    private func insert(
        _ rows: [SeenRow], pass: Int, run: Int64, _ connection: Connection
    ) throws(SQLiteError) {
        let statement = try connection.prepare(
            "INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for row in rows {
            statement.bind(1, run)
            statement.bind(2, pass)
            statement.bind(3, row.container)
            statement.bind(4, row.scope)
            statement.bind(5, row.kind)
            statement.bind(6, row.zone)
            statement.bind(7, row.type)
            statement.bind(8, row.name)
            statement.bind(9, row.detail)
            try statement.run()
        }
    }

    private func setDetail(
        _ row: SeenRow, pass: Int, run: Int64, _ connection: Connection
    ) throws(SQLiteError) {
        try connection.run(
            "UPDATE seen SET detail = ? WHERE run = ? AND pass = ? AND container = ?"
                + " AND scope = ? AND kind = ? AND zone = ? AND type = ? AND name = ?",
            .integer(Int64(row.detail)), .integer(run), .integer(Int64(pass)),
            .integer(Int64(row.container)), .integer(Int64(row.scope)),
            .integer(Int64(row.kind)), .text(row.zone), .text(row.type), .text(row.name))
    }

    private func insert(
        _ lines: [PlanLineRow], run: Int64, _ connection: Connection
    ) throws(SQLiteError) {
        for line in lines {
            let text = try connection.prepare("INSERT INTO plan_lines VALUES (?, ?, ?)")
            text.bind(1, run)
            text.bind(2, line.number)
            text.bind(3, line.line)
            try text.run()
            guard let step = line.step else { continue }
            let row = try connection.prepare(
                "INSERT INTO steps(run, number, container, scope, kind, items, state)"
                    + " VALUES (?, ?, ?, ?, ?, ?, 0)")
            row.bind(1, run)
            row.bind(2, line.number)
            row.bind(3, step.container)
            row.bind(4, step.scope)
            row.bind(5, step.kind)
            row.bind(6, step.items)
            try row.run()
        }
    }

    private func insert(
        _ rows: [FailureRow], run: Int64, _ connection: Connection
    ) throws(SQLiteError) {
        for row in rows {
            try connection.run(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(run),
                .integer(Int64(row.container)), .integer(Int64(row.scope)), .text(row.kind),
                .text(row.name), .text(row.code), .text(row.reason))
        }
    }

    private func move(
        step number: Int, to state: StepState, _ outcome: StepOutcome, run: Int64,
        _ connection: Connection
    ) throws(JournalError) {
        let from = StepState.allCases.filter { $0.next.contains(state) }
            .map { String($0.rawValue) }.joined(separator: ",")
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                "UPDATE steps SET state = ?, attempts = attempts + ?, deleted = deleted + ?,"
                    + " gone = gone + ?, failed = ? WHERE run = ? AND number = ?"
                    + " AND state IN (\(from))")
            statement.bind(1, state.rawValue)
            statement.bind(2, outcome.attempts)
            statement.bind(3, outcome.deleted)
            statement.bind(4, outcome.alreadyGone)
            statement.bind(5, outcome.failed)
            statement.bind(6, run)
            statement.bind(7, number)
            try statement.run()
        } catch {
            throw JournalError(error)
        }
        guard connection.changes == 1 else {
            throw JournalError(.illegalMove, "step \(number) cannot become \(state)")
        }
    }

    private func usePlan(
        _ digest: String, at: Timestamp, run: Int64, _ connection: Connection
    ) throws(JournalError) {
        do throws(SQLiteError) {
            try connection.run(
                "INSERT INTO used_plans VALUES (?, ?, ?)", .text(digest), .integer(run),
                .integer(at.milliseconds))
        } catch {
            throw JournalError(error)
        }
    }
}
