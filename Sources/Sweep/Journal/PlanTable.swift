import CloudModel
import SQLite

/// The plan of a run, line by line, and how far its steps have come.
struct PlanTable {
    let connection: Connection
    let run: Int64

    // MARK: Writing

    func insert(_ lines: [PlanLineRow]) throws(JournalError) {
        for line in lines {
            try connection.change(
                "INSERT INTO plan_lines(run, number, line) VALUES (?, ?, ?)",
                .integer(run), .int(line.number), .blob(line.line))
            guard let step = line.step else { continue }
            try connection.change(
                "INSERT INTO steps(run, number, container, scope, kind, items)"
                    + " VALUES (?, ?, ?, ?, ?, ?)", .integer(run), .int(line.number),
                .int(step.container), .scope(step.scope), .int(step.kind.rawValue),
                .int(step.items))
        }
    }

    func drop() throws(JournalError) {
        try connection.change("DELETE FROM plan_lines WHERE run = ?", .integer(run))
        try connection.change("DELETE FROM steps WHERE run = ?", .integer(run))
    }

    /// Moves a step. The outcome takes the place of the one before.
    func move(
        step number: Int, to state: StepState, _ outcome: StepOutcome
    ) throws(JournalError) {
        let counts = outcome.counts
        guard state.fits(counts) else {
            throw JournalError(
                .illegalMove, "step \(number) cannot become \(state) with these items")
        }
        let from = StepState.allCases.filter { $0.next.contains(state) }
        // Most steps have no outcome for long: that takes no room.
        let items =
            counts.pending == counts.total ? Value.null : .blob(outcome.items.map(\.rawValue))
        try connection.change(
            "UPDATE steps SET state = ?, attempts = ?, deleted = ?, gone = ?, failed = ?,"
                + " deferred = ?, spared = ?, outcomes = ? WHERE run = ? AND number = ?"
                + " AND items = ? AND state IN (\(Self.list(from)))", .int(state.rawValue),
            .int(outcome.attempts), .int(counts.deleted), .int(counts.alreadyGone),
            .int(counts.failed), .int(counts.deferred), .int(counts.spared), items,
            .integer(run), .int(number), .int(counts.total))
        guard connection.changes == 1 else {
            throw JournalError(
                .illegalMove, "step \(number) cannot become \(state) from its current state")
        }
    }

    /// Moves up to `limit` planned steps of a database to intended, for whoever holds `token`.
    func claim(
        container: Int, _ scope: Database.Scope, for token: Int64, limit: Int
    ) throws(JournalError) -> [StepRow] {
        let steps = try steps(container: container, scope, from: 0, in: [.planned], limit: limit)
        for step in steps {
            try connection.change(
                "UPDATE steps SET state = ?, claim = ? WHERE run = ? AND number = ?",
                .int(StepState.intended.rawValue), .integer(token), .integer(run),
                .int(step.number))
        }
        return steps
    }

    func verifyAll() throws(JournalError) {
        try connection.change(
            "UPDATE steps SET state = ? WHERE run = ? AND state = ?",
            .int(StepState.verified.rawValue), .integer(run),
            .int(StepState.acknowledged.rawValue))
    }

    // MARK: Reading

    /// Up to `limit` lines from `number` on.
    func lines(from number: Int, limit: Int) throws(JournalError) -> [PlanLineRow] {
        try connection.list(
            "plan_lines",
            "SELECT l.number, l.line, s.container IS NOT NULL, s.container, s.scope,"
                + " s.kind, s.items FROM plan_lines l LEFT JOIN steps s ON s.run = l.run"
                + " AND s.number = l.number WHERE l.run = ? AND l.number >= ?"
                + " ORDER BY l.number LIMIT ?", .integer(run), .int(number), .int(limit)
        ) { row throws(JournalError) in
            let number = try row.count()
            let line = try row.bytes()
            var step: PlanLineRow.Step?
            if try row.flag() {
                step = try PlanLineRow.Step(
                    container: row.count(), scope: row.scope(), kind: row.coded(),
                    items: row.count())
            }
            return PlanLineRow(number: number, line: line, step: step)
        }
    }

    /// Up to `limit` steps of one database from `number` on, in these states.
    func steps(
        container: Int, _ scope: Database.Scope, from number: Int, in states: Set<StepState>,
        limit: Int
    ) throws(JournalError) -> [StepRow] {
        try connection.list(
            "steps",
            "SELECT s.number, l.line, s.kind, s.items, s.state, s.attempts, s.outcomes"
                + " FROM steps s JOIN plan_lines l ON l.run = s.run AND l.number = s.number"
                + " WHERE s.run = ? AND s.container = ? AND s.scope = ? AND s.number >= ?"
                + " AND s.state IN (\(Self.list(states.sorted { $0.rawValue < $1.rawValue })))"
                + " ORDER BY s.number LIMIT ?", .integer(run), .int(container),
            .scope(scope), .int(number), .int(limit)
        ) { row throws(JournalError) in
            let number = try row.count()
            let line = try row.bytes()
            let kind: ItemKind = try row.coded()
            let items = try row.count()
            let state: StepState = try row.coded()
            let attempts = try row.count()
            let outcome = StepOutcome(
                attempts: attempts,
                items: try Self.items(try row.optionalBytes(), items, step: number))
            guard state.fits(outcome.counts) else { throw Self.damaged(step: number) }
            return StepRow(
                number: number, line: line, container: container, scope: scope,
                kind: kind, items: items, state: state, outcome: outcome)
        }
    }

    /// The steps of the run, added up by database and kind.
    func sums() throws(JournalError) -> [StepSum] {
        let settled = StepState.allCases.filter(\.isSettled)
        return try connection.list(
            "steps",
            "SELECT container, scope, kind, count(*), count(*) FILTER"
                + " (WHERE state IN (\(Self.list(settled)))), sum(attempts), sum(items),"
                + " sum(deleted), sum(gone), sum(failed), sum(deferred), sum(spared),"
                + " count(*) FILTER (WHERE state NOT IN (\(Self.list(StepState.allCases))))"
                + " FROM steps WHERE run = ? GROUP BY container, scope, kind", .integer(run)
        ) { row throws(JournalError) in
            let place = (try row.count(), try row.scope(), try row.coded(ItemKind.self))
            let (steps, settled, attempts) = (try row.count(), try row.count(), try row.count())
            let all = try row.count()
            var items = ItemCounts()
            items.deleted = try row.count()
            items.alreadyGone = try row.count()
            items.failed = try row.count()
            items.deferred = try row.count()
            items.spared = try row.count()
            items.pending = all - items.total
            guard items.pending >= 0, try row.count() == 0 else {
                throw JournalError(.corrupt, "the steps of the plan are damaged")
            }
            return StepSum(
                container: place.0, scope: place.1, kind: place.2, steps: steps,
                settledSteps: settled, attempts: attempts, items: items)
        }
    }

    private static func items(
        _ bytes: [UInt8]?, _ count: Int, step: Int
    ) throws(JournalError) -> [ItemOutcome] {
        guard let bytes else { return StepOutcome(pending: count).items }
        let items = bytes.compactMap { ItemOutcome(rawValue: $0) }
        guard items.count == bytes.count, items.count == count else {
            throw damaged(step: step)
        }
        return items
    }

    private static func damaged(step: Int) -> JournalError {
        JournalError(.corrupt, "the outcome of step \(step) is damaged")
    }

    private static func list(_ states: [StepState]) -> String {
        states.map { "\($0.rawValue)" }.joined(separator: ", ")
    }
}
