package import CloudModel

/// An event that takes long, in slices.
package protocol EventJob: StoreJob {
    /// What it changed, once it has come to its end.
    func report() throws(SimulatedEvent.Refusal) -> SimulatedEvent.Report
}

extension MockStore {
    /// Simulates an event in the open batch.
    package func simulate(_ event: SimulatedEvent) throws(SimulatedEvent.Refusal)
        -> SimulatedEvent.Report
    {
        if let job = try job(for: event) {
            do throws(MockStoreError) { try job.finish(self) } catch { throw .storage(error) }
            return try job.report()
        }
        do throws(MockStoreError) {
            if let report = try stored({ () throws(CloudError) in try perform(event) }) {
                return report
            }
        } catch {
            throw .storage(error)
        }
        throw .nothing(for: event)
    }

    /// The slices of an event that takes long; nil when it does not.
    package func job(for event: SimulatedEvent) throws(SimulatedEvent.Refusal) -> (any EventJob)? {
        try check(event)
        switch event.kind {
        case .purge: return eraseJob(event, .purged)
        case .resetEncryptedData: return eraseJob(event, .encryptedDataReset)
        case .expireTokens: return ExpireJob(event.scope)
        case .finishCascades: return CascadeJob(count: event.count)
        case .compact: return CompactJob(event.scope)
        case .snapshot:
            return try refusing { () throws(MockStoreError) in
                try SnapshotJob(event.name ?? "", of: self)
            }
        case .restore:
            let job = try refusing { () throws(MockStoreError) in
                try restoreJob(event.name ?? "")
            }
            guard let job else { throw .nothing(for: event) }
            return job
        default: return nil
        }
    }

    /// Refuses an event with missing or wrong parameters, or for a user that does not exist.
    package func check(_ event: SimulatedEvent) throws(SimulatedEvent.Refusal) {
        if let problem = event.problem { throw .malformed(problem) }
        for name in [event.user, event.other] {
            guard let name, !hasAccount(name) else { continue }
            throw .notFound("there is no user \"\(name)\"")
        }
        if let device = event.device, !MockUser.isValid(name: device) {
            throw .malformed("a device's name has 1 to 64 letters, digits or any of . - _ @")
        }
    }

    private func refusing<Job>(
        _ body: () throws(MockStoreError) -> Job
    ) throws(SimulatedEvent.Refusal) -> Job {
        do throws(MockStoreError) {
            return try body()
        } catch {
            throw error.code == .limit ? .conflict(error.description) : .storage(error)
        }
    }

    /// The restore of a snapshot; nil if no snapshot has this name.
    package func restoreJob(_ name: String) throws(MockStoreError) -> RestoreJob? {
        guard let image = snapshots[name] else { return nil }
        return try RestoreJob(name, image)
    }

    /// - Returns: nil where there is nothing that the event is about.
    private func perform(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report? {
        let (user, other) = (event.user ?? "", event.other ?? "")
        let device = event.device ?? "every device"
        switch event.kind {
        case .recreateZone: return try recreateZone(event)
        case .signOut:
            try accounts.setSignedOut(true, user, event.device)
            return SimulatedEvent.Report(message: "\(user) is signed out on \(device)", changed: 1)
        case .signIn:
            try accounts.setSignedOut(false, user, event.device)
            return SimulatedEvent.Report(message: "\(user) is signed in on \(device)", changed: 1)
        case .switchAccount:
            try accounts.setSignedOut(true, user, event.device)
            try accounts.setSignedOut(false, other, event.device)
            return SimulatedEvent.Report(
                message: "\(other) is signed in on \(device) instead of \(user)", changed: 2,
                users: [other])
        case .restrict, .unrestrict:
            guard let address = event.address(.private) else { return nil }
            let closes = event.kind == .restrict
            try accounts.setRestricted(closes, user, at: address)
            return SimulatedEvent.Report(
                message: "\(address.container) is \(closes ? "closed" : "open") to \(user)'s apps",
                changed: 1)
        case .fillQuota, .freeQuota: return try setQuota(event)
        case .changeTerms, .acceptTerms: return try setTerms(event)
        case .grantRole, .takeRole: return try setRole(event)
        case .share: return try share(event)
        case .leaveShare, .revokeShare: return try endShare(event)
        case .updateIndexes, .finishZoneDeletions, .deliverPushes:
            guard let done = doPendingWork(event.kind, event.count),
                let left = try pending(event.kind)
            else { return nil }
            return SimulatedEvent.Report(done: done, pending: left)
        case .updateZoneLists, .finishCascades, .expireWebTokens, .rotateWebTokens, .purge,
            .resetEncryptedData, .expireTokens,
            .compact, .snapshot, .restore:
            return nil
        }
    }

    private func eraseJob(_ event: SimulatedEvent, _ reason: RecordZone.DeletionReason) -> (
        any EventJob
    )? {
        guard let address = event.address(.private), let user = event.user else { return nil }
        return EraseJob(event.zone, of: user, at: address, reason)
    }

    private func recreateZone(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report?
    {
        guard let address = event.address(.private), let zone = event.zone, let user = event.user
        else {
            return nil
        }
        let session = sessions.service(
            try databases.state(DatabaseKey(address: address, user: user)))
        let id = RecordZone.ID(zone)
        _ = try zones.modify([.delete(id)], session)
        guard case .zone? = try zones.modify([.create(id)], session).first else { return nil }
        return SimulatedEvent.Report(
            message: "\(zone) exists again, empty", changed: 1, zones: [zone])
    }

    private func setRole(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report? {
        let isGiven = event.kind == .grantRole
        guard let address = event.address(.public), let user = event.user, let role = event.name,
            !isGiven || containers.schema(of: address.container)?.roles.contains(role) == true
        else { return nil }
        let isNew = try roles.set(role, isGiven, to: user, at: address)
        guard isNew || isGiven else { return nil }
        return SimulatedEvent.Report(
            message: "\(user) \(isGiven ? "has" : "no longer has") the role \(role) in "
                + "\(address.container)", changed: isNew ? 1 : 0)
    }

    private func share(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report? {
        guard let address = event.address(.private), let zone = event.zone, let user = event.user,
            let other = event.other,
            try invitations.give(zone, of: DatabaseKey(address: address, user: user), to: other)
        else { return nil }
        return SimulatedEvent.Report(
            message: "\(other) can read \(zone) of \(user)", changed: 1, zones: [zone],
            users: [other])
    }

    private func endShare(_ event: SimulatedEvent) throws(CloudError) -> SimulatedEvent.Report? {
        guard let address = event.address(.private), let zone = event.zone, let user = event.user
        else {
            return nil
        }
        let leaves = event.kind == .leaveShare
        let owner = leaves ? event.other ?? "" : user
        let ended = try invitations.end(
            zone, of: DatabaseKey(address: address, user: owner),
            for: leaves ? user : event.other)
        guard !ended.isEmpty else { return nil }
        return SimulatedEvent.Report(
            message: "\(zone) of \(owner) is no longer shared with "
                + ended.joined(separator: ", "), changed: ended.count, zones: [zone],
            users: leaves ? [owner] : ended)
    }

}

extension SimulatedEvent {
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

extension SimulatedEvent.Refusal {
    /// Why an event found nothing to do.
    static func nothing(for event: SimulatedEvent) -> Self {
        switch event.kind {
        case .restore: .notFound("there is no snapshot \"\(event.name ?? "")\"")
        case .grantRole:
            .notFound("the container's schema creates no role \"\(event.name ?? "")\"")
        case .takeRole: .notFound("the user does not have the role \"\(event.name ?? "")\"")
        case .share: .notFound("there is no such zone to share, or both users are the same")
        case .leaveShare, .revokeShare:
            .notFound("the zone is not shared with a user of that name")
        case .recreateZone: .notFound("a zone cannot have that name")
        case .expireWebTokens, .rotateWebTokens, .updateZoneLists:
            .malformed("\(event.kind.rawValue) needs a running server")
        default: .notFound("there is no such zone")
        }
    }
}
