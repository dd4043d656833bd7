package import Basics
package import CloudModel
import Evidence
package import Journal
import OpenSSL

/// Reads what earlier runs left in a state folder. Changes nothing.
package struct SweepHistory: Sendable {
    /// One run, for a list.
    package struct Entry: Sendable, Hashable {
        package let runID: String
        package let verb: String
        package let began: Timestamp
        package let ended: Timestamp?
        package let environment: Container.Environment
        /// The server that was asked; nil for runs of the first version.
        package let server: ServerFacts?
        package let containers: [Container.ID]
        /// The person's pseudonym in each of them; empty when nobody was found signed in.
        package let subjects: [String]
        package let planDigest: String?
        /// nil while it runs, or when it was cut off.
        package let status: ExitStatus?
        package let canResume: Bool
        /// Whether it was given up before its end.
        package let isAbandoned: Bool
        /// Whether its names and texts were taken out.
        package let isForgotten: Bool
        /// When it is looked at again; nil: it is not watched.
        package let watch: WatchSchedule?
    }

    let stateFolder: String
    package init(stateFolder: String) { self.stateFolder = stateFolder }

    /// The runs, newest first.
    ///
    /// - Parameter limit: nil: all of them.
    package func runs(limit: Int? = nil) async throws(JournalError) -> [Entry] {
        // Before the first run there is no journal.
        guard SQLiteJournal.isThere(in: stateFolder) else { return [] }
        let journal = journal()
        var entries: [Entry] = []
        for row in try await journal.runs(limit: limit) {
            entries.append(Entry(row, watch: try await journal.schedule(run: row.key)))
        }
        return entries
    }

    /// The report of a run as it was when it last ended; nil while it runs, or when it was cut
    /// off.
    ///
    /// - Throws: `noSuchRun`; `corrupt` when somebody changed it; or why the journal cannot be read.
    package func report(run: String) async throws(JournalError) -> SweepReport? {
        let journal = journal()
        let row = try await journal.run(id: run)
        guard let kept = try await journal.report(run: row.key) else { return nil }
        guard let json = try await opened(kept, row, journal) else {
            throw JournalError(.corrupt, "the report of run \(run) is damaged, or was changed")
        }
        return try SweepReport(json: json)
    }

    /// The same, and what others may see of it.
    ///
    /// - Parameter reference: What the operator calls the case.
    package func report(
        run: String, case reference: String?
    ) async throws(JournalError) -> (own: SweepReport, redacted: RedactedReport)? {
        guard var report = try await report(run: run) else { return nil }
        report.caseReference = reference
        let journal = journal()
        let key = try await journal.keptCaseKey(run: try await journal.run(id: run).key)
        return (report, RedactedReport(report, key))
    }

    /// What the evidence of a run calls a person; nil once the run is forgotten: nobody can tell then.
    package func pseudonym(
        ofUser name: String, run: String, in container: String, _ environment: String
    ) async throws(JournalError) -> String? {
        let journal = journal()
        let row = try await journal.run(id: run)
        return try await journal.keptCaseKey(run: row.key)?
            .pseudonym(of: name, .user, in: container, environment)
    }

    private func opened(
        _ kept: [UInt8], _ row: RunRow, _ journal: any Journal
    ) async throws(JournalError) -> [UInt8]? {
        try await StateKey.read(in: stateFolder, journal)?.verified(report: kept, of: row.id)
    }

    func journal() -> any Journal {
        SQLiteJournal(folder: stateFolder, readOnly: true)
    }
}

extension SweepHistory.Entry {
    fileprivate init(_ row: RunRow, watch: WatchSchedule?) {
        self.init(
            runID: row.id, verb: row.verb, began: row.began, ended: row.ended,
            environment: row.environment,
            server: row.server.isEmpty
                ? nil : ServerFacts(url: row.server, isRehearsal: row.isRehearsal),
            containers: row.containers, subjects: row.subjects, planDigest: row.planDigest,
            status: row.status.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) },
            canResume: row.canResume, isAbandoned: row.stage == .ended && row.status == nil,
            isForgotten: row.isForgotten, watch: watch)
    }
}
