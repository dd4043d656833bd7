import CloudModel

extension MockStore {
    /// Does what an act says; of pages the store knows nothing, see ``PageDelivery``.
    package func carryOut(_ act: MockAct) throws(MockAct.Refusal) -> MockAct.Report {
        try check(act)
        do throws(MockStoreError) {
            if let report = try carryOutOfUser(act) { return report }
            if let report = try carryOutOfService(act) { return report }
        } catch {
            throw error.code == .limit ? .conflict(error.description) : .storage(error)
        }
        throw .notFound(Self.missing(act))
    }

    /// Refuses an act that is not whole, or is about somebody who is not there.
    func check(_ act: MockAct) throws(MockAct.Refusal) {
        if let problem = act.problem { throw .malformed(problem) }
        for name in [act.user, act.other] {
            guard let name, !hasAccount(name) else { continue }
            throw .notFound("there is no user \"\(name)\"")
        }
        if let device = act.device, !MockUser.isValid(name: device) {
            throw .malformed("a device's name has 1 to 64 letters, digits or any of . - _ @")
        }
    }

    /// Why an act found nothing to do.
    private static func missing(_ act: MockAct) -> String {
        switch act.kind {
        case .restore: "there is no snapshot \"\(act.name ?? "")\""
        case .share: "there is no such zone to share, or both are one user"
        case .leaveShare, .revokeShare: "the zone is not shared with anybody of that name"
        case .recreateZone: "there can be no zone of that name"
        default: "there is no such zone"
        }
    }

    private func carryOutOfUser(_ act: MockAct) throws(MockStoreError) -> MockAct.Report? {
        let user = act.user ?? ""
        let other = act.other ?? ""
        switch act.kind {
        case .purge: return try erase(act, .purged, "erased")
        case .resetEncryptedData: return try erase(act, .encryptedDataReset, "lost")
        case .signOut:
            try signOut(user, device: act.device)
            return MockAct.Report(
                message: "\(user) is signed out on \(Self.where(act))", changed: 1)
        case .signIn:
            try signIn(user, device: act.device)
            return MockAct.Report(
                message: "\(user) is signed in on \(Self.where(act))", changed: 1)
        case .switchAccount:
            try signOut(user, device: act.device)
            try signIn(other, device: act.device)
            return MockAct.Report(
                message: "\(other) is signed in on \(Self.where(act)) instead of \(user)",
                changed: 2, users: [other])
        case .restrict, .unrestrict:
            guard let container = act.container else { return nil }
            let closes = act.kind == .restrict
            try setRestricted(closes, for: user, in: container, act.environment ?? .development)
            return MockAct.Report(
                message: "\(container) is \(closes ? "closed" : "open") to \(user)'s apps",
                changed: 1)
        case .share, .leaveShare, .revokeShare: return try shareOrEnd(act)
        case .recreateZone, .expireTokens, .compact, .emptyPages, .repeatPages, .snapshot, .restore:
            return nil
        }
    }

    private static func `where`(_ act: MockAct) -> String { act.device ?? "every device" }

    private func erase(
        _ act: MockAct, _ reason: RecordZone.DeletionReason, _ verb: String
    ) throws(MockStoreError) -> MockAct.Report? {
        guard let address = act.address(.private) else { return nil }
        let zones = try eraseZones(act.zone, at: address, user: act.user ?? "", reason: reason)
        guard act.zone == nil || !zones.isEmpty else { return nil }
        return MockAct.Report(
            message: "\(verb): \(Self.count(zones.count, "zone"))", changed: zones.count,
            zones: zones)
    }

    private func shareOrEnd(_ act: MockAct) throws(MockStoreError) -> MockAct.Report? {
        guard let address = act.address(.private), let zone = act.zone, let user = act.user else {
            return nil
        }
        if act.kind == .share, let other = act.other {
            guard try shareZone(zone, at: address, owner: user, with: other) else { return nil }
            return MockAct.Report(
                message: "\(other) can read \(zone) of \(user)", changed: 1, zones: [zone],
                users: [other])
        }
        let leaves = act.kind == .leaveShare
        let owner = leaves ? act.other ?? "" : user
        let ended = try unshareZone(
            zone, at: address, owner: owner, with: leaves ? user : act.other)
        guard !ended.isEmpty else { return nil }
        return MockAct.Report(
            message: "\(zone) of \(owner) is no longer shared with "
                + ended.joined(separator: ", "), changed: ended.count, zones: [zone],
            users: leaves ? [owner] : ended)
    }

    private func carryOutOfService(_ act: MockAct) throws(MockStoreError) -> MockAct.Report? {
        switch act.kind {
        case .recreateZone:
            guard let address = act.address(.private), let zone = act.zone,
                try recreateZone(zone, at: address, user: act.user ?? "")
            else { return nil }
            return MockAct.Report(
                message: "\(zone) is there anew, empty", changed: 1, zones: [zone])
        case .expireTokens:
            let count = try expireTokens(act.scope)
            guard count > 0 || act.zone == nil else { return nil }
            return MockAct.Report(
                message: "tokens expired in \(Self.count(count, "database"))", changed: count)
        case .compact:
            let count = try compactTombstones(act.scope)
            guard count > 0 || act.zone == nil else { return nil }
            return MockAct.Report(
                message: "deletions forgotten in \(Self.count(count, "database"))",
                changed: count)
        case .snapshot:
            try keepSnapshot(act.name ?? "")
            return MockAct.Report(message: "kept as \(act.name ?? "")", changed: 1)
        case .restore: return try restoreSnapshot(act.name ?? "") ? act.restored : nil
        default: return nil
        }
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension MockAct {
    /// What a `restore` is answered with.
    package var restored: Report {
        Report(message: "the service is as it was at \(name ?? "")", changed: 1)
    }

    /// The database it is about; nil when no container is named.
    func address(_ scope: Database.Scope) -> Database.Address? {
        container.map {
            Database.Address(
                container: $0, environment: environment ?? .development, scope: scope)
        }
    }

    /// The part of the service it is about.
    fileprivate var scope: ResetScope {
        ResetScope(
            user: user, container: container, environment: environment, scope: database,
            zoneName: zone)
    }
}
