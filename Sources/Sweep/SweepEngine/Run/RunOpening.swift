import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import Evidence
import Journal
import OpenSSL

/// Begins a run in the journal, or takes one up again.
struct RunOpening: Sendable {
    private let request: SweepRequest
    private let world: SweepWorld

    init(_ request: SweepRequest, in world: SweepWorld) {
        self.request = request
        self.world = world
    }

    /// - Parameter resuming: nil: begin anew; else the run to continue, or the newest there is.
    func open(_ verb: Verb, _ resuming: String??) async throws(SweepFailure) -> SweepRun {
        guard !request.targets.isEmpty, !request.scopes.isEmpty else {
            throw .unusable("there is no container or no database to sweep")
        }
        guard Set(request.targets.map(\.container)).count == request.targets.count else {
            throw .unusable("a container is named twice")
        }
        let journal = world.makeJournal()
        var request = request
        request.countsZoneRecords = verb.asks
        let row: RunRow
        let erasureRequest: ErasureRequest?
        let signing = try signingKey()
        let keys: RunKeys
        do throws(JournalError) {
            let pseudonyms = Pseudonyms(key: try await journal.secret("pseudonyms"))
            let key = try await StateKey.make(in: world.stateFolder, journal)
            if let id = resuming {
                row = try await resumable(id, journal)
                // Before anything of the run is touched: its own process may still be at work.
                let holder = LockHolder(
                    run: row.id, process: world.process, since: world.wallClock.now)
                try await journal.write(
                    [.lock(keys: [LockKey.run(row.id)], holder)], run: row.key)
                request.allowPartial = request.allowPartial ?? row.allowPartial
                erasureRequest = try ErasureNote.request(
                    in: try await journal.note(run: row.key, key: ErasureNote.key))
            } else {
                row = try await journal.begin(
                    RunStart(
                        id: newRunID(), verb: verb.rawValue, environment: request.environment,
                        containers: request.targets.map(\.container),
                        server: world.server.url, isRehearsal: world.server.isRehearsal,
                        began: world.wallClock.now, allowPartial: request.allowPartial),
                    [RunKeys.caseChange] + ErasureNote.changes(request.conditions.request))
                erasureRequest = request.conditions.request
            }
            keys = RunKeys(
                pseudonyms: pseudonyms, state: key,
                caseKey: try await journal.caseKey(run: row.key), signing: signing)
        } catch {
            throw .journal(error)
        }
        var run = try await SweepRun(verb, request, world, journal, keys, row)
        run.erasureRequest = erasureRequest
        return run
    }

    /// The key that signs evidence. One that cannot be used is found out before anything begins.
    private func signingKey() throws(SweepFailure) -> SigningKey? {
        do throws(EvidenceError) {
            return try KeyFolder(stateFolder: world.stateFolder).key()
        } catch {
            throw .unusable(error.reason)
        }
    }

    private func resumable(
        _ id: String?, _ journal: any Journal
    ) async throws(JournalError) -> RunRow {
        let wanted = request.targets.map(\.container)
        if let id {
            let row = try await journal.run(id: id)
            guard row.canResume else {
                throw JournalError(
                    .noSuchRun, "run \(id) cannot be resumed: \(Self.ending(of: row))")
            }
            guard row.environment == request.environment, row.containers == wanted else {
                throw JournalError(.noSuchRun, "run \(id) is about other containers")
            }
            return row
        }
        let rows = try await journal.runs(limit: nil).filter {
            $0.environment == request.environment && $0.containers == wanted
        }
        if let row = rows.first(where: \.canResume) { return row }
        var reason = "there is no run to continue"
        if let newest = rows.first(where: { Verb(rawValue: $0.verb)?.deletes == true }) {
            reason += ": the newest, \(newest.id), \(Self.ending(of: newest))"
        }
        throw JournalError(.noSuchRun, reason)
    }

    /// What became of a run that cannot be continued.
    private static func ending(of row: RunRow) -> String {
        if Verb(rawValue: row.verb)?.deletes != true { return "deletes nothing (\(row.verb))" }
        guard let status = row.status, let ended = row.ended else {
            return "has deleted nothing; start a new run if it no longer runs"
        }
        let remark =
            status == Int(ExitStatus.done.rawValue)
            ? "everything is deleted and verified"
            : "nothing was deleted; start a new run"
        return "ended at \(ended.iso8601) with exit status \(status): \(remark)"
    }

    private func newRunID() -> String {
        let stamp = world.wallClock.now.iso8601.filter { $0 != "-" && $0 != ":" }
        return "\(stamp)-\(Hexadecimal.encode(SecureRandom.bytes(4)))"
    }
}

/// What locks are taken on.
enum LockKey {
    /// A run itself: two processes must not write to one run.
    static func run(_ id: String) -> String { "run\n\(id)" }

    /// A run that is watched: two looks at once would each be the next.
    static func watch(_ id: String) -> String { "watch\n\(id)" }

    /// One person's data in one container.
    static func person(
        _ subject: PlanFacts.Subject, _ environment: Container.Environment
    ) -> String {
        "\(environment.rawValue)\n\(subject.container)\n\(subject.userPseudonym)"
    }
}
