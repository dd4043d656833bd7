import AsyncOperations
package import CloudCourier
import CloudModel
package import DeletionPlanning
package import Evidence
import Journal

/// Restricts what apps may do with a person's data, or gives it back: Apple's access controls, container
/// by container. Deletes nothing.
package struct AccessControl: Sendable {
    let request: SweepRequest
    let world: SweepWorld

    init(_ request: SweepRequest, in world: SweepWorld) {
        self.request = request
        self.world = world
    }

    /// Who is signed in where, for a question.
    package typealias Confirmation = @Sendable ([PlanFacts.Subject]) async -> Bool

    /// What was asked about the person beforehand.
    struct Setting {
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
            if let watched = setting.watched { note(&report, of: watched) }
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

    func address(_ container: Container.ID) -> Database.Address {
        Database.Address(
            container: container, environment: request.environment, scope: .private)
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
            return CloudError(.authenticationRequired, reason: "the user there is unknown")
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
}
