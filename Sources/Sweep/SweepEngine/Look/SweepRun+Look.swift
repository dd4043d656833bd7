import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import Journal
import OpenSSL

extension SweepRun {
    // MARK: 1 Look

    /// Looks at everything in scope, and fails closed.
    mutating func look(on databases: @escaping ReadableDatabases) async throws(SweepFailure) {
        if verb == .resume { try await remember([.forget(.fresh), .dropFailures]) }
        try await phase(.inventory) { (run) async throws(SweepFailure) in
            var inventory = try await run.looking(run.current, on: databases).take()
            try await run.meet(inventory.people)
            try await run.looking(run.current, on: databases).vouch(for: &inventory)
            if var donations = run.donations {
                inventory.remarks += try await donations.look(run.journal, run.row.key)
                donations.tell(run.world.tell)
                run.donations = donations
            }
            run.inventory = inventory
            try await run.remember([
                .event(
                    run.events.event(
                        "inventory",
                        [
                            ("namedPerson", .flag(run.request.namedPerson != nil)),
                            ("unlisted", .number(Int64(inventory.unread.count))),
                            ("unreachable", .number(Int64(inventory.unproven.count))),
                            (
                                "users",
                                .list(
                                    run.request.targets.map {
                                        .text(run.casePseudonym($0.container))
                                    })
                            ),
                        ]))
            ])
        }
        try checkDiscovery()
    }

    /// Takes note of who is signed in. A run that is continued is about somebody already.
    mutating func meet(_ found: [Container.ID: UserIdentity]) async throws(SweepFailure) {
        let now = subjects(found).map(\.userPseudonym)
        if verb == .resume, row.subjects != now {
            throw .refusedByGuard(
                Refusal(.otherUser, "another user is signed in than the run is about"))
        }
        people = found
        row.subjects = now
        var changes: [JournalChange] = [.subjects(now)]
        if let key = world.serverKey(), key != row.serverKey {
            changes += [
                .serverKey(key),
                .event(events.event("server", [("key", .text(key))])),
            ]
            row.serverKey = key
        }
        try await remember(changes)
    }

    /// Asks once more who is signed in, wherever somebody was.
    ///
    /// - Throws: `refusedByGuard` when it is not the person that this run is about.
    func askAgain(on databases: @escaping ReadableDatabases) async throws(SweepFailure) {
        try await looking(current, on: databases).checkPeople(in: people.keys.sorted())
    }

    /// What could not be read stops the run, unless that was allowed.
    private func checkDiscovery() throws(SweepFailure) {
        guard let inventory else { throw .stopped }
        if courier.isStopped || inventory.forbidden != nil { throw .stopped }
        if let unknown = inventory.unknownTypes.first { throw .unusable(advice(on: unknown)) }
        let unread = inventory.unread
        guard !unread.isEmpty, request.allowPartial == nil else { return }
        throw .refusedByGuard(
            Refusal(
                .discoveryIncomplete,
                (unread.count == 1 ? "a location" : "\(unread.count) locations")
                    + " in scope could not be listed" + (unread.count == 1 ? ": " : ", first: ")
                    + "\(unread[0].kind.rawValue) of \(unread[0].container) "
                    + "(\(unread[0].reason ?? ""))"))
    }

    /// A misspelled type is a mistake of the configuration, never an empty place.
    private func advice(on unknown: (container: Int, type: String)) -> String {
        let container = request.targets[unknown.container].container
        let wrong = Set(
            (inventory?.unknownTypes ?? []).filter { $0.container == unknown.container }
                .map(\.type))
        let known = types.types(of: container).filter { !wrong.contains($0) }
        return "the service does not know the record type \"\(unknown.type)\" of \(container)"
            + NearestName.hint(for: unknown.type, among: known)
            + "; add a type that was removed from the environment to \"retiredTypes\""
    }

    // MARK: 2 Plan

    /// Makes a plan of what was seen. Where one was approved before, this one only says what of
    /// that is still there, and what has come since.
    mutating func plan() async throws(SweepFailure) {
        try await phase(.plan) { (run) async throws(SweepFailure) in
            guard let inventory = run.inventory else { throw .stopped }
            if run.verb.hasEarlierPlan {
                run.outline = try await run.stage.outline(run.current, inventory)
            } else {
                let (planned, outline) = try await run.stage.plan(
                    run.header(), run.current, inventory)
                run.planned = planned
                run.outline = outline
                run.row.planDigest = planned.facts.digest
                try await run.remember([
                    .event(
                        run.events.event("plan", [("digest", .text(planned.facts.digest))]))
                ])
                run.world.tell(.planned(planned.facts))
            }
        }
        noteMisspelledTypes()
        try await decideDonations()
        if verb.deletes, let reason = outline?.misspelledRule { throw .unusable(reason) }
    }

    private func header() -> PlanHeader {
        let now = world.wallClock.now
        let start = max(now, request.conditions.notBefore ?? now)
        return PlanHeader(
            toolVersion: world.toolVersion, environment: request.environment,
            server: world.server, subjects: subjects, scopes: Set(request.scopes).sorted(),
            created: now, expires: start.advanced(by: request.limits.planLifetime),
            nonce: Hexadecimal.encode(SecureRandom.bytes(16)), conditions: request.conditions,
            export: export?.manifestDigest)
    }

    /// Lets the plan say which of the zones that a rule is about go as a whole.
    private mutating func decideDonations() async throws(SweepFailure) {
        guard var stage = donations, stage.hasUndecided else { return }
        try await eachPlanned(of: row) { (index, item) async throws(SweepFailure) in
            if case .step(let step) = item { stage.decide(step, index) }
        }
        donations = stage
    }

    /// A list has rules for all users of an app, so that most rules match nothing of most users. One that has
    /// nearly the name of a record type that is known is a mistake.
    private mutating func noteMisspelledTypes() {
        guard let rules = outline?.unmatchedRules else { return }
        for rule in rules {
            guard let type = rule.recordType, type != DeletionStep.userRecordType else { continue }
            let containers = request.targets.map(\.container).filter { rule.concerns($0) }
            let known = containers.flatMap { types.types(of: $0) }
            guard !containers.contains(where: { types.isRetired(type, of: $0) }),
                let meant = Misspelling.meant(by: type, among: known),
                !request.policy.protect.contains(where: { $0.recordType == meant })
            else { continue }
            outline?.misspellings.append(Misspelling(rule, written: type, meant: meant))
        }
    }

    /// What a guard would refuse anyway is refused when it is planned.
    func checkPlan() throws(SweepFailure) {
        guard let outline else { return }
        do throws(Refusal) {
            try Guard.checkCascade(outline.cascade)
            try Guard.checkCaps(outline.totals, outline.census, request.policy.caps)
        } catch {
            throw .refusedByGuard(error)
        }
    }
}
