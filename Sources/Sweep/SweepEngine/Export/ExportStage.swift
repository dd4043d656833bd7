import CloudModel
import DataExport
import Journal

/// Reads the contents of what a look has found into a folder. Cannot change anything in a database.
///
/// Memory holds so many pages, and pieces of so many assets, as are read at once.
struct ExportStage: Sendable {
    /// Jobs under way at once, each with one page in memory.
    static let jobsMax = 4
    /// Rows of the journal read at a time.
    private static let rowsMax = 200

    let looking: LookStage
    let people: [Container.ID: UserIdentity]
    let folder: ExportFolder
    let assets: any AssetReading

    /// Reads all of it.
    ///
    /// - Returns: what could not be read.
    func take() async throws(SweepFailure) -> [CoverageRow] {
        var remarks: [CoverageRow] = []
        var last: SeenRow?
        while true {
            let rows = try await rows(after: last)
            guard let end = rows.last else { return remarks }
            remarks += try await carryOut(ExportJob.all(for: rows))
            last = end
        }
    }

    private func rows(after last: SeenRow?) async throws(SweepFailure) -> [SeenRow] {
        do throws(JournalError) {
            return try await looking.journal.seen(
                run: looking.run, in: looking.look, after: last, limit: Self.rowsMax)
        } catch {
            throw .journal(error)
        }
    }

    /// Carries out jobs, so many at once.
    private func carryOut(_ jobs: [ExportJob]) async throws(SweepFailure) -> [CoverageRow] {
        let results = await withTaskGroup(of: Result<[CoverageRow], SweepFailure>.self) { group in
            var results: [Result<[CoverageRow], SweepFailure>] = []
            for (number, job) in jobs.enumerated() {
                if number >= Self.jobsMax, let result = await group.next() {
                    results.append(result)
                    if case .failure = result { break }
                }
                group.addTask {
                    await attempt { () async throws(SweepFailure) in try await carryOut(job) }
                }
            }
            for await result in group { results.append(result) }
            return results
        }
        var remarks: [CoverageRow] = []
        for result in results { remarks += try result.get() }
        return remarks
    }

    private func carryOut(_ job: ExportJob) async throws(SweepFailure) -> [CoverageRow] {
        if looking.courier.isStopped { throw .stopped }
        let row = job.row
        let container = looking.request.targets[row.container].container
        guard let person = people[container],
            let kind = Places.kind(of: row.kind, in: row.scope)
        else { preconditionFailure("a row without user or location") }
        let look = looking.placeLook(row.container, row.scope, person)
        let reading = ContentReading(look: look, folder: folder, assets: assets)
        do throws(SweepFailure) {
            switch job {
            case .zone(let row): try await reading.readZone(row)
            case .records(let rows): try await reading.readRecords(rows)
            case .subscriptions(let rows): try await reading.readSubscriptions(rows)
            case .userRecord: try await reading.readUserRecord()
            }
            return []
        } catch {
            let subject = row.zone.isEmpty || row.kind == .record ? row.type : row.zone
            return try look.unread(kind, subject.isEmpty ? nil : subject, error).remarks
        }
    }
}
