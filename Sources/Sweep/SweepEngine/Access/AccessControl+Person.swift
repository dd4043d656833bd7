import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

extension AccessControl {
    /// Asks who is signed in everywhere, and holds them to the run's person.
    func meet(
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
                    .otherUser, "another user is signed in than run \(run) was about"))
        }
        setting.watched = row
        return setting
    }

    func subjects(
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
}
