package import Journal

/// Keeps the schedules of watches: in the journal, with the run that is watched.
package struct WatchBook: Sendable {
    private let stateFolder: String

    package init(stateFolder: String) { self.stateFolder = stateFolder }

    /// The schedule of a run; nil: it is not watched.
    package func schedule(of run: String) async throws(JournalError) -> WatchSchedule? {
        let journal = SQLiteJournal(folder: stateFolder, readOnly: true)
        let row = try await journal.run(id: run)
        return try await journal.schedule(run: row.key)
    }

    /// Keeps the schedule of a run; it is on disk when this returns.
    package func keep(
        _ schedule: WatchSchedule, of run: String
    ) async throws(JournalError) {
        let journal = SQLiteJournal(folder: stateFolder, isAlive: { $0.seemsAlive() })
        let result: Result<Void, JournalError>
        do throws(JournalError) {
            let row = try await journal.run(id: run)
            guard !row.isForgotten else {
                throw JournalError(.noSuchRun, "run \(run) was forgotten and cannot be watched")
            }
            try await journal.write(
                [.note(key: WatchSchedule.note, value: schedule.json)], run: row.key)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await journal.close()
        try result.get()
    }
}

extension Journal {
    /// The schedule by which a run is watched; nil: it is not.
    func schedule(run: Int64) async throws(JournalError) -> WatchSchedule? {
        guard let json = try await note(run: run, key: WatchSchedule.note) else { return nil }
        return try WatchSchedule(json: json)
    }
}
