import CloudCourier
import CloudModel
import DeletionPlanning
import Journal

/// Stage 1: every place says what it holds, in the journal. Cannot change anything.
///
/// Whatever cannot be read becomes a remark that stops the sweep; looking goes on, so that all of
/// it is reported at once. The person is asked for first, in every container and in every look.
struct LookStage: Sendable {
    let request: SweepRequest
    let courier: SweepCourier
    let journal: any Journal
    let run: Int64
    /// Under which look the rows are kept.
    let look: Look
    let types: TypeBook
    let databases: ReadableDatabases
    /// Who the person is, once it is known: nobody else may answer.
    let expected: [Container.ID: UserIdentity]
    let tell: @Sendable (SweepEvent) -> Void

    /// Looks at all containers side by side.
    func take() async throws(SweepFailure) -> Inventory {
        try await Self.sideBySide(Array(request.targets.indices)) {
            (index) async throws(SweepFailure) in try await lookAt(index)
        }
    }

    private func lookAt(_ index: Int) async throws(SweepFailure) -> Inventory {
        let target = request.targets[index]
        var inventory = Inventory()
        let person: UserIdentity
        do throws(SweepFailure) {
            person = try await whoIsThere(target.container, expected[target.container])
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return unknownPerson(index, refusal)
        }
        inventory.people[target.container] = person
        // Before anything of theirs: whoever forgets the person finds this run, too.
        try await journal.remember(
            [
                .note(
                    key: RunKeys.personNote(target.container),
                    value: Array(person.userRecordName.utf8))
            ], run: run)
        // What may tell of record types comes before what is listed by them.
        let places = Places.of(request).filter { !$0.needsTypes }
        inventory.add(
            try await Self.sideBySide(places) { (place) async throws(SweepFailure) in
                try await find(place, index, person)
            })
        inventory.listed[index] = []
        try await listByType(index, person, &inventory, isFirst: true)
        inventory.remarks += notInScope(target.container)
        return inventory
    }

    /// Lists by the types that answers have named since the look listed by type, in every container
    /// where somebody is signed in.
    func listNewTypes(_ inventory: inout Inventory) async throws(SweepFailure) {
        for (index, target) in request.targets.enumerated() {
            guard let person = inventory.people[target.container] else { continue }
            try await listByType(index, person, &inventory, isFirst: false)
        }
    }

    /// Lists by every type that is known and was not listed by yet, until listing tells of no more:
    /// each turn lists by another type, of which there are so many at most.
    private func listByType(
        _ index: Int, _ person: UserIdentity, _ inventory: inout Inventory, isFirst: Bool
    ) async throws(SweepFailure) {
        let container = request.targets[index].container
        let places = Places.of(request).filter(\.needsTypes)
        var isDue = isFirst
        while true {
            let listed = inventory.listed[index] ?? []
            let fresh = types.types(of: container).filter { !listed.contains($0) }
            guard isDue || !fresh.isEmpty else { return }
            isDue = false
            inventory.add(
                try await Self.sideBySide(places) { (place) async throws(SweepFailure) in
                    try await find(place, index, person, listing: fresh)
                })
            inventory.listed[index, default: []].formUnion(fresh)
        }
    }

    private func find(
        _ place: any Place, _ index: Int, _ person: UserIdentity, listing: [String] = []
    ) async throws(SweepFailure) -> Inventory {
        let look = placeLook(index, place.scope, person, listing: listing)
        var inventory = Inventory()
        let key = RowKey(container: index, scope: place.scope, kind: place.kind)
        do throws(SweepFailure) {
            inventory.findings[key] = try await place.find(look)
        } catch {
            inventory.findings[key] = try look.unread(place.kind, nil, error)
        }
        return inventory
    }

    /// What a place of a container looks with.
    func placeLook(
        _ index: Int, _ scope: Database.Scope, _ person: UserIdentity, listing: [String] = []
    ) -> PlaceLook {
        let target = request.targets[index]
        return PlaceLook(
            request: request, target: target, index: index, scope: scope,
            database: databases(
                Database.Address(
                    container: target.container, environment: request.environment, scope: scope)),
            person: person, types: types, listing: listing, courier: courier, journal: journal,
            run: run,
            look: look, tell: tell)
    }

    // MARK: The person

    /// Asks once more who is signed in, after everything was read: an empty list does not say whose
    /// it is. Where nobody answers, nothing that was read there counts.
    ///
    /// - Throws: `refusedByGuard` when it is somebody else than before.
    func vouch(for inventory: inout Inventory) async throws(SweepFailure) {
        let people = inventory.people
        let asked = request.targets.indices.filter {
            people[request.targets[$0].container] != nil
        }
        let silent = try await Self.sideBySide(asked) { (index) async throws(SweepFailure) in
            let container = request.targets[index].container
            do throws(SweepFailure) {
                _ = try await whoIsThere(container, people[container])
                return Inventory()
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                return unknownPerson(index, refusal)
            }
        }
        inventory.add(silent)
    }

    /// Asks who is signed in, or whether the person is known whom the request names.
    ///
    /// - Throws: `refusedByGuard` when it is not the person that this run is about.
    func whoIsThere(
        _ container: Container.ID, _ expected: UserIdentity?
    ) async throws(SweepFailure) -> UserIdentity {
        let first: Database.Scope =
            request.scopes.contains(.private) ? .private : request.scopes.min() ?? .private
        let database = databases(
            Database.Address(
                container: container, environment: request.environment, scope: first))
        if let name = request.namedPerson {
            return try await NamedPerson(name: name).found(by: courier, in: database)
        }
        guard case .user(let person) = try await courier.read(.caller, from: database, for: nil)
        else { throw .refused(.wrongReply(to: CloudRead.caller)) }
        if let known = expected, known.userRecordName != person.userRecordName {
            throw .refusedByGuard(
                Refusal(
                    .otherUser,
                    "another user is signed in to \(container) now than when this run began"))
        }
        return person
    }

    /// Asks in all of these containers at once who is signed in.
    ///
    /// - Throws: `refusedByGuard` when it is not the person that this run is about.
    func checkPeople(in containers: [Container.ID]) async throws(SweepFailure) {
        _ = try await Self.sideBySide(containers) { (container) async throws(SweepFailure) in
            _ = try await whoIsThere(container, expected[container])
            return Inventory()
        }
    }

    private func unknownPerson(_ index: Int, _ refusal: CloudError) -> Inventory {
        var inventory = Inventory()
        for place in Places.of(request) {
            var row = CoverageRow(
                container: request.targets[index].container, scope: place.scope, kind: place.kind,
                outcome: .notLookedAt,
                reason: "cannot ask for the signed-in user: \(refusal.inWords)")
            row.code = refusal.code
            let key = RowKey(container: index, scope: place.scope, kind: place.kind)
            inventory.findings[key] = Finding(remarks: [row])
        }
        if let row = inventory.unread.first { tell(.unlisted(row)) }
        if refusal.code == .accessDenied { inventory.forbidden = refusal }
        return inventory
    }

    // MARK: Not asked for

    private func notInScope(_ container: Container.ID) -> [CoverageRow] {
        var rows = Database.Scope.allCases.filter { !request.scopes.contains($0) }.map { scope in
            let kind: CoverageRow.Kind =
                switch scope {
                case .private: .customZones
                case .shared: .sharedZones
                case .public: .publicRecords
                }
            return CoverageRow(
                container: container, scope: scope, kind: kind, outcome: .notInScope,
                reason: request.namedPerson == nil
                    ? "the list does not name the \(scope.rawValue) database"
                    : NamedPerson.outOfReach)
        }
        if request.namedPerson != nil {
            rows.append(
                CoverageRow(
                    container: container, scope: .public, kind: .subscriptions,
                    outcome: .notInScope, reason: NamedPerson.outOfReach))
        }
        let other: Container.Environment =
            request.environment == .production ? .development : .production
        rows.append(
            CoverageRow(
                container: container, scope: .private, kind: .otherEnvironment,
                outcome: .notInScope,
                reason: "this run is about \(request.environment.rawValue), not about "
                    + other.rawValue))
        return rows
    }

    /// Runs `body` for all of `things` at once and adds up what they found.
    private static func sideBySide<Thing: Sendable>(
        _ things: [Thing],
        _ body: @escaping @Sendable (Thing) async throws(SweepFailure) -> Inventory
    ) async throws(SweepFailure) -> Inventory {
        let results = await withTaskGroup(of: Result<Inventory, SweepFailure>.self) { group in
            for thing in things {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in try await body(thing) }
                }
            }
            var results: [Result<Inventory, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        // Somebody else being signed in outweighs what else went wrong meanwhile.
        for case .failure(.refusedByGuard(let refusal)) in results {
            throw .refusedByGuard(refusal)
        }
        var inventory = Inventory()
        for result in results { inventory.add(try result.get()) }
        return inventory
    }
}
