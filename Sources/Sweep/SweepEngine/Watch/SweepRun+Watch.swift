import Basics
import CloudCourier
import DeletionPlanning
import Evidence
import Journal

/// A run that is watched, and the key of its pseudonyms.
struct WatchedRun: Sendable {
    let row: RunRow
    let caseKey: CaseKey
}

extension SweepRun {
    /// Takes up the run that is to be looked at again, for this process alone.
    ///
    /// - Throws: `unusable` when nothing was shown to be empty, so that nothing can come back.
    mutating func watch(_ id: String) async throws(SweepFailure) {
        guard let earlier = try await earlier(id) else { return }
        guard Verb(rawValue: earlier.verb)?.deletes == true,
            earlier.status == Int(ExitStatus.done.rawValue)
        else {
            throw .unusable(
                "run \(id) did not end verified empty, so nothing can return; run \"cksweep "
                    + "verify\" to see what is there")
        }
        // An addendum is never older than what it is added to.
        if let ended = earlier.ended { try goOn(from: ended, of: id) }
        let holder = LockHolder(run: row.id, process: world.process, since: world.wallClock.now)
        try await keep([.lock(keys: [LockKey.watch(id)], holder)])
        do throws(JournalError) {
            watched = WatchedRun(
                row: earlier, caseKey: try await journal.caseKey(run: earlier.key))
        } catch {
            throw .journal(error)
        }
    }

    /// Says of what the last pass has left what it is.
    mutating func lookCloser(on databases: @escaping ReadableDatabases) async throws(SweepFailure) {
        guard let pass = passes.last else { return }
        let looking = looking(.verification, on: databases, tell: { _ in })
        returned = try await ReturnedLook(looking: looking, people: people).take(pass.left)
    }

    /// Adds to the evidence of the watched run what this look has found.
    ///
    /// - Returns: nil when the look did not come to its end.
    func addendum(_ report: SweepReport) throws(SweepFailure) -> Returned? {
        guard let watched, var returned else { return nil }
        do throws(EvidenceError) {
            let look = try facts(of: returned, report, watched)
            returned.found = look.found
            returned.addendum = try AddendumWriter(
                folder: "\(world.stateFolder)/evidence", run: watched.row.id, key: signingKey,
                toolVersion: world.toolVersion
            ).add(.look(look), at: world.wallClock.now)
            return returned
        } catch {
            throw .journal(
                JournalError(.inputOutput, "cannot write the addendum: \(error)"))
        }
    }

    private func facts(
        of returned: Returned, _ report: SweepReport, _ watched: WatchedRun
    ) throws(EvidenceError) -> LookFacts {
        let proof: ProofSummary? =
            if case .proven(let proof, _) = report.ending { proof } else { nil }
        let environment = request.environment.rawValue
        return try LookFacts(
            run: row.id, beganAt: row.began, endedAt: world.wallClock.now,
            service: ServiceFacts(world.server, keyDigest: row.serverKey),
            environment: environment,
            containers: request.targets.map { target in
                ErasureFacts.Subject(
                    identifier: target.container.rawValue,
                    user: people[target.container].map {
                        watched.caseKey.pseudonym(
                            of: $0.userRecordName, .user, in: target.container.rawValue,
                            environment)
                    } ?? ErasureFacts.unknownUser)
            }.sorted { $0.identifier < $1.identifier },
            passes: passes.map(EvidencePass.init), cleanPasses: max(1, request.limits.cleanPasses),
            rows: returned.rows.map {
                LookFacts.Row(
                    container: $0.container.rawValue, database: $0.scope.rawValue,
                    kind: $0.kind.rawValue, left: $0.left, withoutData: $0.withoutData)
            }, unread: passes.last?.record.unread ?? 0,
            devices: returned.devices.map { watched.caseKey.device($0) }, provenBy: proof)
    }
}

extension CaseKey {
    /// The pseudonym of a device: the same in every look of a watch.
    fileprivate func device(_ identifier: String) -> String {
        digest(of: Array("cksweep/device/v1\n\(identifier)".utf8))
    }
}
