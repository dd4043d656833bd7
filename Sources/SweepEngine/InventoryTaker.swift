import CloudModel
import DeletionPlanning
import Journal

/// Looks at everything in scope and notes it in the journal. Cannot change anything.
///
/// Whatever cannot be read becomes an `unlisted` row; looking goes on, so that all of it is
/// reported at once.
struct InventoryTaker: Sendable {
    let request: SweepRequest
    let courier: Courier
    let journal: Journal
    let run: Int64
    /// Under which number the rows are kept.
    let pass: Int
    let databases: ReadableDatabases
    let tell: @Sendable (SweepEvent) -> Void

    /// Looks at all containers side by side.
    ///
    /// - Parameter identities: Who is signed in where that was checked in this run already; the
    ///   others are asked.
    func take(
        _ identities: [Container.ID: UserIdentity] = [:]
    ) async throws(SweepFailure) -> Inventory {
        let results = await withTaskGroup(of: Result<Inventory, SweepFailure>.self) { group in
            for (index, target) in request.targets.enumerated() {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        try await look(at: target, index, identities[target.container])
                    }
                }
            }
            var results: [Result<Inventory, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        return try Self.sum(results)
    }

    private func look(
        at target: SweepRequest.Target, _ index: Int, _ known: UserIdentity?
    ) async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        let first = request.scopes.contains(.private) ? .private : request.scopes.min() ?? .private
        let caller: UserIdentity
        if let known {
            caller = known
        } else {
            let look = look(target, index, first, nil)
            do throws(SweepFailure) {
                caller = try await look.identity()
            } catch {
                let row = try look.unlisted(.customZones, "who is signed in", error)
                inventory.unlisted.append(row)
                if case .refused(let refusal) = error, refusal.code == .accessDenied {
                    inventory.forbidden = refusal
                }
                return inventory
            }
        }
        inventory.identities[target.container] = caller
        let results = await withTaskGroup(of: Result<Inventory, SweepFailure>.self) { group in
            for scope in Set(request.scopes) {
                let look = look(target, index, scope, caller)
                group.addTask {
                    await attempt { () async throws(SweepFailure) in try await look.all() }
                }
            }
            var results: [Result<Inventory, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        inventory.add(try Self.sum(results))
        for scope in Database.Scope.allCases where !request.scopes.contains(scope) {
            let kind: CoverageRow.Kind =
                switch scope {
                case .private: .customZones
                case .shared: .sharedZones
                case .public: .publicRecords
                }
            inventory.notInScope.append(
                CoverageRow(
                    container: target.container, scope: scope, kind: kind, outcome: .notInScope,
                    reason: "the list does not name the \(scope.rawValue) database"))
        }
        return inventory
    }

    private func look(
        _ target: SweepRequest.Target, _ index: Int, _ scope: Database.Scope,
        _ caller: UserIdentity?
    ) -> DatabaseLook {
        let address = Database.Address(
            container: target.container, environment: request.environment, scope: scope)
        return DatabaseLook(
            taker: self, database: databases(address), target: target, index: index, scope: scope,
            caller: caller)
    }

    static func sum(
        _ results: [Result<Inventory, SweepFailure>]
    ) throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        for result in results { inventory.add(try result.get()) }
        return inventory
    }
}
