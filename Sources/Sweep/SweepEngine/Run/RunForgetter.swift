package import Basics
import DonationStore
import FileSystem
package import Journal
import OpenSSL

/// Takes what names people out of a state folder: of the journal, of donation stores and of plan
/// files in it. Counts, evidence and fences stay, and so do plan files elsewhere.
package struct RunForgetter: Sendable {
    private let stateFolder: String
    private let wallClock: WallClock
    private let process: ProcessIdentity
    private let journal: any Journal
    private let files = Files(workingFolder: Files.currentFolder)

    package init(
        stateFolder: String, wallClock: WallClock, process: ProcessIdentity = .current(),
        isAlive: @escaping @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() }
    ) {
        self.stateFolder = stateFolder
        self.wallClock = wallClock
        self.process = process
        journal = SQLiteJournal(folder: stateFolder, isAlive: isAlive)
    }

    /// Forgets a run, and every other run that is about the same person or the same plan.
    ///
    /// - Parameter abandons: Gives the run up first, where it could be continued.
    /// - Returns: the runs, and the plan files and exports of theirs that still hold names.
    /// - Throws: `unfinished` when one of them is under way or could be continued; none is forgotten
    ///   then.
    package func forget(
        _ id: String, abandons: Bool
    ) async throws(JournalError) -> (runs: [String], files: [String]) {
        let row = try await journal.run(id: id)
        let all = try await journal.runs(limit: nil)
        let rows = try await runs(about: row, among: all)
        if abandons, row.canResume { try await abandon(row) }
        let stateKey = try await StateKey.make(in: stateFolder, journal)
        var runs: [(run: Int64, report: [UInt8]?)] = []
        for row in rows {
            // A report that somebody changed is not kept.
            let kept = try await journal.report(run: row.key)
                .flatMap { stateKey.verified(report: $0, of: row.id) }
            let report = kept.flatMap(Self.readable)
            let key = try await journal.keptCaseKey(run: row.key)
            let bare = report.map {
                stateKey.authenticated(report: $0.withoutNames(key).json(), of: row.id)
            }
            runs.append((row.key, bare))
        }
        try await settle(rows, among: all)
        var remaining: Set<String> = []
        for row in rows {
            remaining.formUnion(try await RunFiles.remaining(of: row.key, in: journal, files))
        }
        try await journal.forget(runs)
        try await cleanFolder(of: rows.map(\.id))
        return (rows.map(\.id), remaining.sorted())
    }

    /// Notes which of the runs no request is open by: a request that was met, or that a newer run stands
    /// for. Afterwards nobody can tell whom they are about.
    private func settle(_ rows: [RunRow], among all: [RunRow]) async throws(JournalError) {
        let notes = try await journal.notes(ErasureNote.key)
        let open = Set(try DueRequest.open(among: all, notes).map(\.runID))
        for row in rows where notes[row.key] != nil && !open.contains(row.id) {
            try await journal.write([ErasureNote.settled], run: row.key)
        }
    }

    /// The run, and every other one about the same person: also those that were cut off before they
    /// had noted more of them than their name.
    private func runs(
        about row: RunRow, among all: [RunRow]
    ) async throws(JournalError) -> [RunRow] {
        let people = try await people(of: row)
        var rows: [RunRow] = []
        for other in all {
            if other.isAbout(row) {
                rows.append(other)
            } else if other.subjects.isEmpty, !other.isForgotten,
                try await !self.people(of: other).isDisjoint(with: people)
            {
                rows.append(other)
            }
        }
        return rows
    }

    /// Whom a run has met, container by container.
    private func people(of row: RunRow) async throws(JournalError) -> Set<[UInt8]> {
        var people: Set<[UInt8]> = []
        for container in row.containers {
            let key = RunKeys.personNote(container)
            guard let name = try await journal.note(run: row.key, key: key) else { continue }
            people.insert(Array(key.utf8) + [0] + name)
        }
        return people
    }

    /// A report that cannot be read goes whole: nobody can say what it names.
    private static func readable(_ json: [UInt8]) -> SweepReport? {
        do throws(JournalError) {
            return try SweepReport(json: json)
        } catch {
            return nil
        }
    }

    /// Removes runs that ended before a time.
    ///
    /// - Returns: the runs.
    package func prune(before time: Timestamp) async throws(JournalError) -> [String] {
        let runs = try await journal.prune(before: time)
        try await cleanFolder(of: runs)
        return runs
    }

    /// Lets go of the folder.
    package func close() async { await journal.close() }

    /// Gives a run up: nobody continues it from now on.
    private func abandon(_ row: RunRow) async throws(JournalError) {
        let holder = LockHolder(run: row.id, process: process, since: wallClock.now)
        let events = EventWriter(
            environment: row.environment,
            caseKey: try await journal.caseKey(run: row.key), wallClock: wallClock)
        try await journal.write([.lock(keys: [LockKey.run(row.id)], holder)], run: row.key)
        try await journal.write(
            [.event(events.event("abandoned")), .stage(.ended), .unlock], run: row.key)
    }

    // MARK: Beside the journal

    private func cleanFolder(of runs: [String]) async throws(JournalError) {
        do throws(FileError) {
            for name in try files.names(in: stateFolder)
            where runs.contains(where: { name.hasPrefix($0 + ".plan") }) {
                files.remove("\(stateFolder)/\(name)")
            }
            let donations = stateFolder + "/donations"
            guard files.facts(donations) != nil else { return }
            for application in try files.names(in: donations) {
                try await forgetZones(of: application, in: donations, runs)
            }
        } catch {
            throw JournalError(.inputOutput, error.description)
        }
    }

    private func forgetZones(
        of application: String, in folder: String, _ runs: [String]
    ) async throws(FileError) {
        do throws(DonationError) {
            let store = try DonationStore(
                configuration: DonationConfiguration(
                    bundleIdentifier: application, directory: "\(folder)/\(application)",
                    clock: wallClock))
            let failure: DonationError?
            do throws(DonationError) {
                try await store.sync { sync throws(DonationError) in
                    try sync.forgetZones(erasedBy: runs)
                }
                failure = nil
            } catch {
                failure = error
            }
            await store.flushAndClose()
            if let failure { throw failure }
        } catch {
            throw FileError("the donation store \(folder)/\(application)", error.reason)
        }
    }
}

extension RunRow {
    /// Whether both are about one person, or about one plan, or are the same.
    fileprivate func isAbout(_ other: RunRow) -> Bool {
        if key == other.key { return true }
        if let digest = planDigest, digest == other.planDigest { return true }
        return !Set(subjects).intersection(other.subjects)
            .subtracting([SweepRun.unknownPerson]).isEmpty
    }
}
