package import CloudModel

/// An act that takes long, in slices.
package protocol ActJob: StoreJob {
    /// What it changed, once it has come to its end.
    func report() throws(MockAct.Refusal) -> MockAct.Report
}

extension MockStore {
    /// Simulates an event in the open batch.
    package func carryOut(_ act: MockAct) throws(MockAct.Refusal) -> MockAct.Report {
        if let job = try job(for: act) {
            do throws(MockStoreError) { try job.finish(self) } catch { throw .storage(error) }
            return try job.report()
        }
        do throws(MockStoreError) {
            if let report = try stored({ () throws(CloudError) in try perform(act) }) {
                return report
            }
        } catch {
            throw .storage(error)
        }
        throw .nothing(for: act)
    }

    /// The slices of an act that takes long; nil when it does not.
    package func job(for act: MockAct) throws(MockAct.Refusal) -> (any ActJob)? {
        try check(act)
        switch act.kind {
        case .purge: return eraseJob(act, .purged)
        case .resetEncryptedData: return eraseJob(act, .encryptedDataReset)
        case .expireTokens: return ExpireJob(act.scope)
        case .compact: return CompactJob(act.scope)
        case .snapshot:
            return try refusing { () throws(MockStoreError) in
                try SnapshotJob(act.name ?? "", of: self)
            }
        case .restore:
            let job = try refusing { () throws(MockStoreError) in
                try restoreJob(act.name ?? "")
            }
            guard let job else { throw .nothing(for: act) }
            return job
        default: return nil
        }
    }

    /// Refuses an act that is not whole, or is about somebody who is not there.
    package func check(_ act: MockAct) throws(MockAct.Refusal) {
        if let problem = act.problem { throw .malformed(problem) }
        for name in [act.user, act.other] {
            guard let name, !hasAccount(name) else { continue }
            throw .notFound("there is no user \"\(name)\"")
        }
        if let device = act.device, !MockUser.isValid(name: device) {
            throw .malformed("a device's name has 1 to 64 letters, digits or any of . - _ @")
        }
    }

    private func refusing<Job>(
        _ body: () throws(MockStoreError) -> Job
    ) throws(MockAct.Refusal) -> Job {
        do throws(MockStoreError) {
            return try body()
        } catch {
            throw error.code == .limit ? .conflict(error.description) : .storage(error)
        }
    }

    /// The restore of a snapshot; nil where there is none of this name.
    package func restoreJob(_ name: String) throws(MockStoreError) -> RestoreJob? {
        guard let image = snapshots[name] else { return nil }
        return try RestoreJob(name, image)
    }

    /// - Returns: nil where there is nothing that the act is about.
    private func perform(_ act: MockAct) throws(CloudError) -> MockAct.Report? {
        let (user, other) = (act.user ?? "", act.other ?? "")
        let device = act.device ?? "every device"
        switch act.kind {
        case .recreateZone: return try recreateZone(act)
        case .signOut:
            try accounts.setSignedOut(true, user, act.device)
            return MockAct.Report(message: "\(user) is signed out on \(device)", changed: 1)
        case .signIn:
            try accounts.setSignedOut(false, user, act.device)
            return MockAct.Report(message: "\(user) is signed in on \(device)", changed: 1)
        case .switchAccount:
            try accounts.setSignedOut(true, user, act.device)
            try accounts.setSignedOut(false, other, act.device)
            return MockAct.Report(
                message: "\(other) is signed in on \(device) instead of \(user)", changed: 2,
                users: [other])
        case .restrict, .unrestrict:
            guard let address = act.address(.private) else { return nil }
            let closes = act.kind == .restrict
            try accounts.setRestricted(closes, user, at: address)
            return MockAct.Report(
                message: "\(address.container) is \(closes ? "closed" : "open") to \(user)'s apps",
                changed: 1)
        case .fillQuota, .freeQuota: return try setQuota(act)
        case .changeTerms, .acceptTerms: return try setTerms(act)
        case .grantRole, .takeRole: return try setRole(act)
        case .share: return try share(act)
        case .leaveShare, .revokeShare: return try endShare(act)
        case .expireWebTokens, .rotateWebTokens, .purge, .resetEncryptedData, .expireTokens,
            .compact, .snapshot, .restore:
            return nil
        }
    }

    private func eraseJob(_ act: MockAct, _ reason: RecordZone.DeletionReason) -> (any ActJob)? {
        guard let address = act.address(.private), let user = act.user else { return nil }
        return EraseJob(act.zone, of: user, at: address, reason)
    }

    private func recreateZone(_ act: MockAct) throws(CloudError) -> MockAct.Report? {
        guard let address = act.address(.private), let zone = act.zone, let user = act.user else {
            return nil
        }
        let session = sessions.service(
            try databases.state(DatabaseKey(address: address, user: user)))
        let id = RecordZone.ID(zone)
        _ = try zones.modify([.delete(id)], session)
        guard case .zone? = try zones.modify([.create(id)], session).first else { return nil }
        return MockAct.Report(message: "\(zone) exists again, empty", changed: 1, zones: [zone])
    }

    private func setRole(_ act: MockAct) throws(CloudError) -> MockAct.Report? {
        let isGiven = act.kind == .grantRole
        guard let address = act.address(.public), let user = act.user, let role = act.name,
            !isGiven || containers.schema(of: address.container)?.roles.contains(role) == true
        else { return nil }
        let isNew = try roles.set(role, isGiven, to: user, at: address)
        guard isNew || isGiven else { return nil }
        return MockAct.Report(
            message: "\(user) \(isGiven ? "has" : "no longer has") the role \(role) in "
                + "\(address.container)", changed: isNew ? 1 : 0)
    }

    private func share(_ act: MockAct) throws(CloudError) -> MockAct.Report? {
        guard let address = act.address(.private), let zone = act.zone, let user = act.user,
            let other = act.other,
            try invitations.give(zone, of: DatabaseKey(address: address, user: user), to: other)
        else { return nil }
        return MockAct.Report(
            message: "\(other) can read \(zone) of \(user)", changed: 1, zones: [zone],
            users: [other])
    }

    private func endShare(_ act: MockAct) throws(CloudError) -> MockAct.Report? {
        guard let address = act.address(.private), let zone = act.zone, let user = act.user else {
            return nil
        }
        let leaves = act.kind == .leaveShare
        let owner = leaves ? act.other ?? "" : user
        let ended = try invitations.end(
            zone, of: DatabaseKey(address: address, user: owner),
            for: leaves ? user : act.other)
        guard !ended.isEmpty else { return nil }
        return MockAct.Report(
            message: "\(zone) of \(owner) is no longer shared with "
                + ended.joined(separator: ", "), changed: ended.count, zones: [zone],
            users: leaves ? [owner] : ended)
    }

}

extension MockAct {
    /// A number of things, in words.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// The database it is about; nil when no container is named.
    package func address(_ scope: Database.Scope) -> Database.Address? {
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

extension MockAct.Refusal {
    /// Why an act found nothing to do.
    static func nothing(for act: MockAct) -> Self {
        switch act.kind {
        case .restore: .notFound("there is no snapshot \"\(act.name ?? "")\"")
        case .grantRole:
            .notFound("the container's schema creates no role \"\(act.name ?? "")\"")
        case .takeRole: .notFound("the user does not have the role \"\(act.name ?? "")\"")
        case .share: .notFound("there is no such zone to share, or both users are the same")
        case .leaveShare, .revokeShare:
            .notFound("the zone is not shared with a user of that name")
        case .recreateZone: .notFound("a zone cannot have that name")
        case .expireWebTokens, .rotateWebTokens:
            .malformed(
                "\(act.kind.rawValue) needs a running server: in process there are no web tokens")
        default: .notFound("there is no such zone")
        }
    }
}
