package import CloudModel
package import MockStore

/// Acts and looks at the whole store, as methods that say in their own types what they found.
extension MockStore {
    /// The user record name of an account in a container: the same for the same seed.
    package func userRecordName(
        of user: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        recordName(of: .user(user), in: container, environment)
    }

    package func signOut(_ user: String, device: String? = nil) throws {
        try simulate(.signOut, of: user) { $0.device = device }
    }

    package func signIn(_ user: String, device: String? = nil) throws {
        try simulate(.signIn, of: user) { $0.device = device }
    }

    package func setRestricted(
        _ isRestricted: Bool, for user: String, in container: Container.ID,
        _ environment: Container.Environment
    ) throws {
        try simulate(isRestricted ? .restrict : .unrestrict, of: user) {
            ($0.container, $0.environment) = (container, environment)
        }
    }

    /// - Returns: Whether there is such a zone, and the two are not one user.
    package func shareZone(
        _ zone: String, at address: Database.Address, owner: String, with user: String
    ) throws -> Bool {
        try simulate(.share, of: owner, at: address, zone: zone) { $0.other = user } != nil
    }

    /// - Returns: The participants who had the zone, sorted.
    @discardableResult package func unshareZone(
        _ zone: String, at address: Database.Address, owner: String
    ) throws -> [String] {
        try simulate(.revokeShare, of: owner, at: address, zone: zone)?.users ?? []
    }

    /// - Returns: The names of the zones that went, sorted.
    package func eraseZones(
        _ zone: String? = nil, at address: Database.Address, user: String,
        reason: RecordZone.DeletionReason
    ) throws -> [String] {
        let kind: SimulatedEvent.Kind = reason == .purged ? .purge : .resetEncryptedData
        return try simulate(kind, of: user, at: address, zone: zone)?.zones ?? []
    }

    /// - Returns: Whether there was such a zone.
    package func purgeZone(
        _ zone: String, at address: Database.Address, user: String
    ) throws -> Bool {
        try !eraseZones(zone, at: address, user: user, reason: .purged).isEmpty
    }

    /// - Returns: Whether the zone is there now; false where there can be none of this name.
    package func recreateZone(
        _ zone: String, at address: Database.Address, user: String
    ) throws -> Bool {
        try simulate(.recreateZone, of: user, at: address, zone: zone) != nil
    }

    @discardableResult
    package func expireTokens(_ scope: ResetScope = ResetScope()) throws -> Int {
        let event = try simulate(.expireTokens, of: scope.user, zone: scope.zoneName) {
            $0.container = scope.container
            $0.environment = scope.environment
            $0.database = scope.scope
        }
        return event?.changed ?? 0
    }

    @discardableResult
    package func compactTombstones(_ scope: ResetScope = ResetScope()) throws -> Int {
        let job = CompactJob(scope)
        try job.finish(self)
        return job.count
    }

    package func keepSnapshot(_ name: String) throws {
        try simulate(.snapshot) { $0.name = name }
    }

    /// - Returns: Whether there is a snapshot of this name.
    package func restoreSnapshot(_ name: String) throws -> Bool {
        try simulate(.restore) { $0.name = name } != nil
    }

    /// Counts of every database that has been written to, in the order of their addresses.
    package func summary() throws -> [DatabaseSummary] {
        let job = SummaryJob()
        try job.finish(self)
        return job.summaries
    }

    /// All that a user has at once, as lines; nil: the public databases.
    package func dump(user: String?) throws -> String {
        let reader = DumpReader(user: user)
        var text: [UInt8] = []
        while let piece = try reader.next(self) { text += piece }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil when what the event is about is not there.
    @discardableResult private func simulate(
        _ kind: SimulatedEvent.Kind, of user: String? = nil, at address: Database.Address? = nil,
        zone: String? = nil, _ fill: (inout SimulatedEvent) -> Void = { _ in }
    ) throws -> SimulatedEvent.Report? {
        var event = SimulatedEvent(kind, user: user, in: address?.container, zone: zone)
        event.environment = address?.environment
        fill(&event)
        do throws(SimulatedEvent.Refusal) {
            return try simulate(event)
        } catch {
            if case .notFound = error { return nil }
            throw error
        }
    }
}
