import AsyncOperations
package import CloudCourier
import CloudModel
package import DeletionPlanning
package import Evidence
import Journal
import OpenSSL

/// Restricts what apps may do with a person's data, or gives it back: Apple's access controls, container
/// by container. Deletes nothing.
package struct AccessControl: Sendable {
    private let request: SweepRequest
    private let world: SweepWorld

    init(_ request: SweepRequest, in world: SweepWorld) {
        self.request = request
        self.world = world
    }

    /// Who is signed in where, for a question.
    package typealias Confirmation = @Sendable ([PlanFacts.Subject]) async -> Bool

    /// What was asked about the person beforehand.
    private struct Setting {
        var people: [Container.ID: UserIdentity] = [:]
        var watched: RunRow?
    }

    /// Changes access in every container of the request; what fails in one is no reason to leave out
    /// another.
    ///
    /// - Parameters:
    ///   - run: The run whose evidence is added to, about the same person; nil: none.
    ///   - confirm: Asked once everything is known and nothing was sent.
    package func change(
        _ change: AccessFacts.Change, run: String?, on databases: @escaping WritableDatabases,
        confirm: Confirmation = { _ in true }
    ) async -> AccessReport {
        let courier = makeCourier()
        let journal = world.makeJournal()
        var report: AccessReport
        do throws(SweepFailure) {
            let setting = try await meet(run, courier, journal, databases)
            guard await confirm(try await subjects(setting.people, journal)) else {
                await journal.close()
                return AccessReport(change, .refused, "not confirmed; nothing was changed")
            }
            report = try await sendAll(change, setting.people, courier, databases)
            if let watched = setting.watched { report.addendum = try note(report, of: watched) }
        } catch {
            report = failed(change, error, courier)
        }
        await journal.close()
        return report
    }

    private func makeCourier() -> Courier {
        var limits = Courier.Limits()
        limits.parallelism = request.limits.parallelism
        limits.perDatabase = request.limits.perDatabase
        limits.maxDuration = request.limits.maxDuration
        limits.attemptsMax = request.limits.attemptsMax
        limits.waitMax = request.limits.waitMax
        return Courier(limits, clock: world.clock, seed: world.seed, stop: world.stop)
    }

    private func address(_ container: Container.ID) -> Database.Address {
        Database.Address(
            container: container, environment: request.environment, scope: .private)
    }

    // MARK: Who

    /// Asks who is signed in everywhere, and holds them to the run's person.
    private func meet(
        _ run: String?, _ courier: Courier, _ journal: any Journal,
        _ databases: @escaping WritableDatabases
    ) async throws(SweepFailure) -> Setting {
        var setting = Setting()
        for target in request.targets {
            let database = databases(address(target.container))
            let reply: CloudReply
            do throws(Courier.Failure) {
                reply = try await courier.read(.caller, from: ReadOnlyDatabase(database))
            } catch {
                throw SweepFailure(error)
            }
            guard case .user(let person) = reply else {
                throw .refused(.wrongReply(to: CloudRead.caller))
            }
            setting.people[target.container] = person
        }
        guard let run else { return setting }
        let row: RunRow
        do throws(JournalError) {
            row = try await journal.run(id: run)
            guard row.containers == request.targets.map(\.container),
                row.environment == request.environment, row.server == world.server.url
            else {
                throw JournalError(.noSuchRun, "run \(run) is about other containers")
            }
        } catch {
            throw .journal(error)
        }
        let now = try await subjects(setting.people, journal)
        guard row.subjects == now.map(\.userPseudonym) else {
            throw .refusedByGuard(
                Refusal(
                    .otherUser, "another person is signed in than run \(run) was about"))
        }
        setting.watched = row
        return setting
    }

    private func subjects(
        _ people: [Container.ID: UserIdentity], _ journal: any Journal
    ) async throws(SweepFailure) -> [PlanFacts.Subject] {
        let pseudonyms: Pseudonyms
        do throws(JournalError) {
            pseudonyms = Pseudonyms(key: try await journal.secret("pseudonyms"))
        } catch {
            throw .journal(error)
        }
        return request.targets.map { target in
            PlanFacts.Subject(
                container: target.container,
                userPseudonym: people[target.container].map {
                    pseudonyms.user($0.userRecordName, in: target.container, request.environment)
                } ?? SweepRun.unknownPerson)
        }
    }

    // MARK: Sending

    /// Sends the change to every container. What was not sent because somebody stopped is told as not
    /// done: part of it may be.
    private func sendAll(
        _ change: AccessFacts.Change, _ people: [Container.ID: UserIdentity], _ courier: Courier,
        _ databases: @escaping WritableDatabases
    ) async throws(SweepFailure) -> AccessReport {
        var rows: [AccessReport.Row] = []
        var stop: SweepFailure?
        for target in request.targets {
            var refusal: CloudError? = CloudError(.cancelled, reason: "stopped before")
            if stop == nil {
                do throws(SweepFailure) {
                    refusal = try await send(
                        change, target.container, people, courier, databases)
                } catch {
                    stop = error
                }
            }
            rows.append(AccessReport.Row(container: target.container, refusal: refusal))
        }
        var report = AccessReport(change, rows: rows)
        if let stop {
            let why = failed(change, stop, courier)
            (report.status, report.explanation) = (why.status, why.explanation)
        }
        return report
    }

    /// Sends one change until it is answered or refused for good: restricting twice is the same as once.
    ///
    /// - Returns: the refusal; nil: it is done.
    /// - Throws: `stopped`, or that somebody else is signed in by now.
    private func send(
        _ change: AccessFacts.Change, _ container: Container.ID,
        _ people: [Container.ID: UserIdentity], _ courier: Courier,
        _ databases: WritableDatabases
    ) async throws(SweepFailure) -> CloudError? {
        guard let person = people[container] else {
            return CloudError(.authenticationRequired, reason: "nobody is known there")
        }
        let database = databases(address(container))
        let write: CloudWrite = change == .restrict ? .restrict : .unrestrict
        var budget = RetryBudget(attempts: request.limits.attemptsMax)
        while true {
            do throws(Courier.Failure) {
                _ = try await courier.send(
                    write, to: database, afterAskingFor: person.userRecordName)
                return nil
            } catch {
                guard case .refused(let refusal) = error else { throw SweepFailure(error) }
                do throws(Courier.Failure) {
                    try await courier.waitOrGiveUp(refusal, &budget, at: database.address)
                } catch {
                    guard case .refused(let last) = error else { throw SweepFailure(error) }
                    return last
                }
            }
        }
    }

    // MARK: Telling

    private func note(_ report: AccessReport, of run: RunRow) throws(SweepFailure) -> String {
        do throws(EvidenceError) {
            let facts = AccessFacts(
                report.change, at: world.wallClock.now,
                service: ServiceFacts(world.server, keyDigest: world.serverKey()),
                environment: request.environment.rawValue,
                results: report.rows.map {
                    AccessFacts.Result(
                        container: $0.container.rawValue, code: $0.refusal?.code.rawValue)
                })
            return try AddendumWriter(
                folder: "\(world.stateFolder)/evidence", run: run.id,
                key: try KeyFolder(stateFolder: world.stateFolder).key(),
                toolVersion: world.toolVersion
            ).add(.access(facts), at: facts.changedAt)
        } catch {
            throw .journal(
                JournalError(.inputOutput, "the addendum cannot be written: \(error)"))
        }
    }

    private func failed(
        _ change: AccessFacts.Change, _ failure: SweepFailure, _ courier: Courier
    ) -> AccessReport {
        if let error = courier.signInNeeded {
            return AccessReport(change, .notSignedIn, error.inWords)
        }
        if case .stopped = failure, let error = courier.halted {
            return AccessReport(change, .partlyFailed, error.inWords)
        }
        if case .stopped = failure {
            switch world.stop.reason {
            case .interrupt: return AccessReport(change, .interrupted, "interrupted")
            case .terminate: return AccessReport(change, .terminated, "terminated")
            case .outOfTime: return AccessReport(change, .outOfTime, "the maximum duration is over")
            case .otherPerson, nil: break
            }
        }
        if case .refused(let error) = failure {
            return AccessReport(change, .partlyFailed, error.inWords)
        }
        let ending = Conclusion.of(failure, in: nil)
        return AccessReport(change, ending.status, ending.explanation)
    }
}
