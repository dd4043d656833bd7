import SQLite

/// Writes changes in the open transaction.
struct JournalWriter {
    let connection: Connection
    let locks: LockKeeper

    func apply(_ change: JournalChange, run: Int64) throws(JournalError) {
        let runs = RunTable(connection: connection)
        let seen = SeenTable(connection: connection, run: run)
        let plan = PlanTable(connection: connection, run: run)
        let failures = FailureTable(connection: connection, run: run)
        let notes = NoteTable(connection: connection, run: run)
        switch change {
        case .seen(let look, let rows): try seen.insert(rows, look)
        case .detail(let look, let row): try seen.setDetail(row, look)
        case .kept(let look, let rows): try seen.keep(rows, look)
        case .links(let look, let rows):
            try LinkTable(connection: connection, run: run).insert(rows, look)
        case .forget(let look): try seen.forget(look)
        case .types(let container, let environment, let types):
            try TypeTable(
                connection: connection, container: container, environment: environment
            ).insert(types)
        case .planLines(let lines): try plan.insert(lines)
        case .dropPlan: try plan.drop()
        case .step(let number, let state, let outcome):
            try plan.move(step: number, to: state, outcome)
        case .allVerified: try plan.verifyAll()
        case .failures(let rows): try failures.insert(rows)
        case .dropFailures: try failures.drop()
        case .event(let body):
            try EventTable(connection: connection, run: run).append(body)
        case .note(let key, let value): try notes.set(key, value)
        case .noteOnce(let key, let value): try notes.setOnce(key, value)
        case .dropNote(let key): try notes.drop(key)
        case .fences(let address, let zones):
            try FenceTable(connection: connection)
                .insert(zones, at: address, run: run)
        case .usePlan(let digest, let at): try runs.usePlan(digest, at: at, run: run)
        case .subjects(let subjects): try runs.set(subjects: subjects, run: run)
        case .serverKey(let key): try runs.set(serverKey: key, run: run)
        case .plan(let digest, let header, let footer):
            try runs.setPlan(digest: digest, header: header, footer: footer, run: run)
        case .stage(let stage): try runs.set(stage, run: run)
        case .ended(let at, let status, let report):
            try runs.end(at: at, status: status, report: report, run: run)
            locks.close(run: try LockTable(connection: connection).id(ofRun: run))
        case .lock(let keys, let holder): try locks.take(keys, for: holder, connection)
        case .unlock:
            let id = try LockTable(connection: connection).id(ofRun: run)
            try locks.release(id, connection)
        case .unlockAll(let holder): try locks.release(holder, connection)
        }
    }
}
