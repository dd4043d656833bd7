import Basics
import CloudModel
import HTTPServer
import JSON

extension MockApplication {
    func answer(to job: SeedJob) -> RequestOutcome { .job(job) { job.response } }

    /// Makes a fixture's users and the job that puts its data in.
    package func begin(_ fixture: Fixture) throws(AdminError) -> SeedJob {
        try addUsers(fixture.users)
        try add(fixture.steps.map(\.address.container))
        for (container, schema) in fixture.schemas {
            try storing { () throws(MockStoreError) in
                try store.setSchema(schema, of: container)
            }
        }
        return SeedJob(fixture)
    }

    func begin(_ generator: SeedGenerator) throws(AdminError) -> SeedJob {
        try addUsers(generator.users.map { MockUser($0) })
        try add(generator.containers)
        return SeedJob(generator)
    }

    /// What a seed names is there from then on.
    private func add(_ containers: [Container.ID]) throws(AdminError) {
        for container in Set(containers).sorted() {
            try storing { () throws(MockStoreError) in try store.addContainer(container) }
        }
    }

    /// What nobody says of accounts that are there stays as it is.
    private func addUsers(_ new: [MockUser]) throws(AdminError) {
        for user in new {
            try storing { () throws(MockStoreError) in try store.addUser(user) }
        }
    }

    /// Empties the store, or a part of it; faults, journal and clock only where named in `also`.
    func reset(
        _ scope: ResetScope, also: [AdminRequest.Resettable]
    ) throws(AdminError) -> RequestOutcome {
        if let user = scope.user { try requireAccount(user) }
        if let zone = scope.zoneName { try requireZone(zone, in: scope) }
        return .job(ResetJob(scope)) { [self] in
            faults.pages.forget(scope)
            observers.forgetPositions(scope)
            return finishReset(also)
        }
    }

    /// Zones that a refusal names.
    private static let namedZonesMax = 20

    /// Refuses the name of a zone that no database of a scope has.
    private func requireZone(_ name: String, in scope: ResetScope) throws(AdminError) {
        // There without being made.
        guard name != RecordZone.ID.default.zoneName else { return }
        let known = try storing { () throws(MockStoreError) in
            try store.liveZoneNames(in: scope)
        }
        guard !known.contains(name) else { return }
        let named = known.prefix(Self.namedZonesMax).map { "\"\($0)\"" }
        let others = known.count - named.count
        throw AdminError(
            status: 404,
            "zone \"\(name)\" cannot be reset: it does not exist"
                + NearestName.hint(for: name, among: known)
                + (named.isEmpty
                    ? "; there are no zones to reset"
                    : "; zones: " + named.joined(separator: ", ")
                        + (others > 0 ? " and \(others) more" : "")))
    }

    /// Puts all of the store back to a snapshot, behind the same barrier as the act does.
    func reset(
        to snapshot: String, also: [AdminRequest.Resettable]
    ) throws(AdminError) -> RequestOutcome {
        guard let job = store.restoreJob(snapshot) else {
            throw AdminError(
                status: 404,
                "there is no snapshot \"\(snapshot)\""
                    + NearestName.hint(for: snapshot, among: store.snapshotNames))
        }
        return .job(job) { [self] in
            faults.pages.forget()
            observers.forgetPositions()
            return finishReset(also)
        }
    }

    private func finishReset(_ also: [AdminRequest.Resettable]) -> HTTPResponse {
        faults.plan.endAtReset()
        scheduler.releaseAll()
        for part in also {
            switch part {
            case .faults: faults.plan.removeAll()
            case .journal: observers.journal.clear()
            case .clock: clock.reset()
            case .findings: observers.forgetFindings()
            }
        }
        generation += 1
        observers.note(.reset(generation: generation))
        if also.contains(.clock) { noteClock() }
        return HTTPResponse.object { $0.member("generation", generation) }
    }

    /// Something happens to an account.
    func carryOut(_ act: MockAct) throws(AdminError) -> RequestOutcome {
        try refusing { () throws(MockAct.Refusal) in
            if act.kind == .expireWebTokens || act.kind == .rotateWebTokens {
                return .respond(answer(act, try expireWebTokens(act)), after: .zero)
            }
            guard let job = try store.job(for: act) else {
                return .respond(
                    answer(act, try faults.pages.carryOut(act, on: store)), after: .zero)
            }
            return .job(job) { [self] in
                if act.kind == .restore {
                    faults.pages.forget()
                    observers.forgetPositions()
                }
                do throws(MockAct.Refusal) {
                    return answer(act, try job.report())
                } catch {
                    return HTTPResponse(AdminError(error))
                }
            }
        }
    }

    /// Takes back the web tokens that were given out so far.
    private func expireWebTokens(_ act: MockAct) throws(MockAct.Refusal) -> MockAct.Report {
        try store.check(act)
        let user = act.user ?? ""
        do throws(MockStoreError) {
            try store.expireWebTokens(
                of: user, device: act.device, upTo: authenticator.webTokens.lastNumber)
        } catch {
            throw .storage(error)
        }
        return MockAct.Report(
            message: "web tokens of \(user) have expired on \(act.device ?? "every device")",
            changed: 1)
    }

    private func refusing<Result>(
        _ body: () throws(MockAct.Refusal) -> Result
    ) throws(AdminError) -> Result {
        do throws(MockAct.Refusal) { return try body() } catch { throw AdminError(error) }
    }

    private func answer(_ act: MockAct, _ report: MockAct.Report) -> HTTPResponse {
        let signedIn: String? =
            switch act.kind {
            case .signIn, .rotateWebTokens: act.user
            case .switchAccount: act.other
            default: nil
            }
        return HTTPResponse.object { writer in
            writer.member("act", act.kind.rawValue)
            writer.member("message", report.message)
            writer.member("changed", report.changed)
            writer.member("zones", report.zones)
            writer.member("users", report.users)
            if let signedIn {
                writer.member("webToken", issueWebToken(user: signedIn, device: act.device))
                writer.member("apiToken", authenticator.defaultAPIToken)
            }
        }
    }

    /// What is stored, database by database.
    func summary(user: String?) -> RequestOutcome {
        let job = SummaryJob(user: user)
        return .job(job) {
            HTTPResponse.object { writer in
                writer.objects("databases", job.summaries) { writer, database in
                    writer.member("container", database.address.container.rawValue)
                    writer.member("environment", database.address.environment.rawValue)
                    writer.member("database", database.address.scope.rawValue)
                    writer.member("user", database.user)
                    writer.member("zones", database.zones)
                    writer.member("records", database.records)
                    writer.member("assets", database.assets)
                    writer.member("assetBytes", Int(database.assetBytes))
                    writer.member("subscriptions", database.subscriptions)
                    writer.member("restricted", database.isRestricted)
                }
            }
        }
    }

    /// All data as JSON lines, which are equal when the data are.
    func dump(user: String?) throws(AdminError) -> RequestOutcome {
        if let user { try requireAccount(user) }
        return .respond(
            HTTPResponse(
                status: 200,
                headers: ["content-type": "application/x-ndjson", "cache-control": "no-store"],
                source: DumpSource(store, DumpReader(user: user))), after: .zero)
    }

    /// The answer to `GET dump`, piece by piece.
    private final class DumpSource: HTTPBodySource {
        private let store: MockStore
        private let reader: DumpReader
        let length: Int? = nil

        init(_ store: MockStore, _ reader: DumpReader) {
            self.store = store
            self.reader = reader
        }

        func next() throws -> HTTPBodyPiece {
            while let lines = try reader.next(store) {
                if !lines.isEmpty { return .bytes(lines) }
            }
            return .end
        }
    }
}
