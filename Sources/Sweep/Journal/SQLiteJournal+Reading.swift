package import Basics
package import CloudModel
import SQLite

/// Each read is one table's.
extension SQLiteJournal {
    package func runs(limit: Int?) throws(JournalError) -> [RunRow] {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).all(limit: limit)
        }
    }

    package func run(id: String) throws(JournalError) -> RunRow {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).run(id: id)
        }
    }

    package func run(key: Int64) throws(JournalError) -> RunRow {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).run(key: key)
        }
    }

    package func run(usingPlan digest: String) throws(JournalError) -> RunRow? {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).run(usingPlan: digest)
        }
    }

    package func approval(
        run: Int64
    ) throws(JournalError) -> (digest: String, at: Timestamp)? {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).approval(run: run)
        }
    }

    package func report(run: Int64) throws(JournalError) -> [UInt8]? {
        try read { connection throws(JournalError) in
            try RunTable(connection: connection).report(run: run)
        }
    }

    package func note(run: Int64, key: String) throws(JournalError) -> [UInt8]? {
        try read { connection throws(JournalError) in
            try NoteTable(connection: connection, run: run).value(key)
        }
    }

    package func notes(_ key: String) throws(JournalError) -> [Int64: [UInt8]] {
        try read { connection throws(JournalError) in
            try NoteTable.values(key, on: connection)
        }
    }

    // MARK: What was seen

    package func seen(
        run: Int64, in look: Look, after row: SeenRow?, limit: Int
    ) throws(JournalError) -> [SeenRow] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).page(look, after: row, limit: limit)
        }
    }

    package func seenCounts(run: Int64, in look: Look) throws(JournalError) -> [SeenCount] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).counts(look)
        }
    }

    package func deletable(
        _ rows: [SeenRow], run: Int64, in look: Look
    ) throws(JournalError) -> [SeenRow] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).deletable(rows, look)
        }
    }

    package func seen(
        _ rows: [SeenRow], run: Int64, in look: Look
    ) throws(JournalError) -> [SeenRow] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).seen(rows, look)
        }
    }

    package func leftOfPlan(run: Int64) throws(JournalError) -> [SeenCount] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).leftOfPlan()
        }
    }

    package func unplanned(run: Int64) throws(JournalError) -> [SeenCount] {
        try read { connection throws(JournalError) in
            try SeenTable(connection: connection, run: run).unplanned()
        }
    }

    package func cascade(
        run: Int64, in look: Look, limit: Int
    ) throws(JournalError) -> (rows: [CascadeRow], counts: [CascadeCount]) {
        try read { connection throws(JournalError) in
            try LinkTable(connection: connection, run: run).cascade(look, limit: limit)
        }
    }

    package func types(
        of container: Container.ID, _ environment: Container.Environment
    ) throws(JournalError) -> [String] {
        try read { connection throws(JournalError) in
            try TypeTable(
                connection: connection, container: container, environment: environment
            ).all()
        }
    }

    // MARK: Plan and steps

    package func planLines(
        run: Int64, from number: Int, limit: Int
    ) throws(JournalError) -> [PlanLineRow] {
        try read { connection throws(JournalError) in
            try PlanTable(connection: connection, run: run).lines(from: number, limit: limit)
        }
    }

    package func steps(
        run: Int64, container: Int, scope: Database.Scope, from number: Int,
        in states: Set<StepState>, limit: Int
    ) throws(JournalError) -> [StepRow] {
        try read { connection throws(JournalError) in
            try PlanTable(connection: connection, run: run).steps(
                container: container, scope, from: number, in: states, limit: limit)
        }
    }

    package func stepSums(run: Int64) throws(JournalError) -> [StepSum] {
        try read { connection throws(JournalError) in
            try PlanTable(connection: connection, run: run).sums()
        }
    }

    package func failures(
        run: Int64, limit: Int
    ) throws(JournalError) -> (rows: [FailureRow], count: Int) {
        try read { connection throws(JournalError) in
            try FailureTable(connection: connection, run: run).all(limit: limit)
        }
    }

    // MARK: Evidence

    package func events(
        run: Int64, from number: Int, limit: Int
    ) throws(JournalError) -> [EventRow] {
        try read { connection throws(JournalError) in
            try EventTable(connection: connection, run: run).page(from: number, limit: limit)
        }
    }

    package func verifyChain(
        run: Int64
    ) throws(JournalError) -> (count: Int, head: [UInt8]) {
        try read { connection throws(JournalError) in
            try EventTable(connection: connection, run: run).verify()
        }
    }

    // MARK: Fences

    package func fences(limit: Int) throws(JournalError) -> [FenceRow] {
        try read { connection throws(JournalError) in
            try FenceTable(connection: connection).all(limit: limit)
        }
    }

    package func fences(
        around zones: [RecordZone.ID], at address: Database.Address
    ) throws(JournalError) -> [FenceRow] {
        try read { connection throws(JournalError) in
            try FenceTable(connection: connection).around(zones, at: address)
        }
    }

    package func fenceMark() throws(JournalError) -> String {
        try read { connection throws(JournalError) in try FenceTable(connection: connection).mark()
        }
    }
}
