import CloudModel
import DeletionPlanning
import Journal

/// Looks at one database of one container.
struct DatabaseLook: Sendable {
    let taker: InventoryTaker
    let database: any CloudDatabaseReading
    let target: SweepRequest.Target
    /// The container's place in the run's list.
    let index: Int
    let scope: Database.Scope
    let caller: UserIdentity?

    /// Who is signed in.
    func identity() async throws(SweepFailure) -> UserIdentity {
        guard case .user(let user) = try await read(.caller) else {
            throw .refused(.wrongReply(to: .caller))
        }
        return user
    }

    /// Everything in this database.
    func all() async throws(SweepFailure) -> Inventory {
        switch scope {
        case .private: try await lookAtPrivate()
        case .shared: try await lookAtShared()
        case .public: try await lookAtPublic()
        }
    }

    // MARK: The three databases

    private func lookAtPrivate() async throws(SweepFailure) -> Inventory {
        try await note([row(.defaultZone)], isNews: false)
        async let listed = attempt { () async throws(SweepFailure) in
            try await listZones(.zonesList, as: .zone)
        }
        async let changed = attempt { () async throws(SweepFailure) in
            try await listZones(.databaseChanges, as: .zone)
        }
        async let subscribed = attempt { () async throws(SweepFailure) in
            try await listSubscriptions()
        }
        async let named = attempt { () async throws(SweepFailure) in try await lookUpNamedZones() }
        async let typed = attempt { () async throws(SweepFailure) in
            try await listRecords(ofTypes: knownTypes)
        }
        let watched = await subscribed
        let types = (try? watched.get().types) ?? []
        async let alsoTyped = attempt { () async throws(SweepFailure) in
            try await listRecords(ofTypes: types.subtracting(knownTypes))
        }
        var inventory = try await InventoryTaker.sum([
            listed, changed, watched.map { $0.inventory }, named, typed, alsoTyped,
        ])
        // Only now is it known which zones there are.
        inventory.add(try await lookIntoZones())
        if target.recordTypes == nil { inventory.unreachable.append(typesUnknown(.defaultZone)) }
        return inventory
    }

    private func lookAtShared() async throws(SweepFailure) -> Inventory {
        async let listed = attempt { () async throws(SweepFailure) in
            try await listZones(.zonesList, as: .sharedZone)
        }
        async let changed = attempt { () async throws(SweepFailure) in
            try await listZones(.databaseChanges, as: .sharedZone)
        }
        async let subscribed = attempt { () async throws(SweepFailure) in
            try await listSubscriptions()
        }
        var inventory = try await InventoryTaker.sum([
            listed, changed, subscribed.map { $0.inventory },
        ])
        let after = row(.sharedZone, zone: "")
        let found = try await seen(after: after, limit: 1).contains {
            $0.kind == SeenKind.sharedZone.rawValue && $0.container == index
                && $0.scope == scope.number
        }
        if found {
            inventory.unreachable.append(
                coverage(
                    .sharedZones, .unreachable, "leaving shared zones is not supported yet"))
        }
        return inventory
    }

    private func lookAtPublic() async throws(SweepFailure) -> Inventory {
        async let subscribed = attempt { () async throws(SweepFailure) in
            try await listSubscriptions()
        }
        async let typed = attempt { () async throws(SweepFailure) in
            try await listRecords(ofTypes: knownTypes)
        }
        async let user = attempt { () async throws(SweepFailure) in try await lookUpUserRecord() }
        var inventory = try await InventoryTaker.sum([
            subscribed.map { $0.inventory }, typed, user,
        ])
        if target.recordTypes == nil {
            inventory.unreachable.append(typesUnknown(.publicRecords))
        }
        return inventory
    }

    private var knownTypes: Set<String> {
        // The user's own record is looked up by name and cannot be deleted.
        Set(target.recordTypes ?? []).subtracting([DeletionStep.userRecordType])
    }

    private func typesUnknown(_ kind: CoverageRow.Kind) -> CoverageRow {
        coverage(
            kind, .unreachable,
            "its record types are not known: name the container's schema or its \"recordTypes\""
                + " (an empty list when the app keeps nothing there)")
    }

    // MARK: Helpers

    func read(_ command: CloudCommand) async throws(SweepFailure) -> CloudReply {
        try await taker.courier.read(command, from: database)
    }

    func row(
        _ kind: SeenKind, zone: String = "", type: String = "", name: String = "",
        detail: Int = 0
    ) -> SeenRow {
        SeenRow(
            container: index, scope: scope.number, kind: kind.rawValue, zone: zone, type: type,
            name: name, detail: detail)
    }

    /// Writes rows to the journal.
    ///
    /// - Parameter isNews: False for what is told elsewhere already, so that nothing counts twice.
    func note(_ rows: [SeenRow], isNews: Bool = true) async throws(SweepFailure) {
        guard !rows.isEmpty else { return }
        try await taker.journal.keep([.seen(pass: taker.pass, rows)], run: taker.run)
        guard isNews else { return }
        // The default zone is always there, and not worth telling of.
        if let kind = SeenKind(rawValue: rows[0].kind), kind != .defaultZone {
            taker.courier.note { $0.seen += rows.count }
            taker.tell(
                .discovered(
                    target.container, scope, kind.coverage(in: scope), found: rows.count))
        }
    }

    /// Rows of this pass after `row`.
    func seen(after row: SeenRow, limit: Int) async throws(SweepFailure) -> [SeenRow] {
        do throws(JournalError) {
            return try await taker.journal.seen(
                run: taker.run, pass: taker.pass, after: row, limit: limit)
        } catch {
            throw .journal(error)
        }
    }

    func coverage(
        _ kind: CoverageRow.Kind, _ outcome: CoverageRow.Outcome, _ reason: String,
        subject: String? = nil
    ) -> CoverageRow {
        CoverageRow(
            container: target.container, scope: scope, kind: kind, subject: subject,
            outcome: outcome, reason: reason)
    }

    /// The row for something that could not be read.
    ///
    /// - Throws: `failure` itself when the database did not refuse.
    func unlisted(
        _ kind: CoverageRow.Kind, _ subject: String?, _ failure: SweepFailure
    ) throws(SweepFailure) -> CoverageRow {
        guard case .refused(let error) = failure else { throw failure }
        let reason =
            error.reason.isEmpty ? error.code.rawValue : "\(error.code.rawValue): \(error.reason)"
        var row = coverage(kind, .unreachable, reason, subject: subject)
        row.code = error.code
        taker.tell(.unlisted(row))
        return row
    }

}
