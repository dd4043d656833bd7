package import CloudModel

/// What is done to the store outside of requests. All of it is part of the open turn, and fails as long
/// as a snapshot is being restored.
extension MockStore {
    // MARK: - Users and containers

    /// Every account, by name.
    package var users: [MockUser] { accounts.users }

    /// Whether there is an account of a name.
    package func hasAccount(_ name: String) -> Bool { accounts.find(name) != nil }

    /// Makes an account, or changes the names of one that is there.
    package func addUser(_ user: MockUser) throws(MockStoreError) {
        try stored { () throws(CloudError) in try accounts.put(user) }
    }

    /// The user record name of an account in a container: the same for the same seed.
    package func userRecordName(
        of user: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        accounts.recordName(of: user, in: container, environment)
    }

    /// The record name that a caller writes under in a container, and that stands for the owner of
    /// zones named without one; nobody's is that of public databases.
    package func recordName(
        of caller: Caller, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        sessions.recordName(
            of: caller,
            at: Database.Address(container: container, environment: environment, scope: .public))
    }

    /// Makes a container, where they are not made by being asked for.
    package func addContainer(_ container: Container.ID) throws(MockStoreError) {
        try stored { () throws(CloudError) in try containers.add(container) }
    }

    /// The schema of a container.
    package func schema(of container: Container.ID) -> Schema? {
        containers.schema(of: container)
    }

    /// Gives a container a schema, in both environments; nil takes it away.
    package func setSchema(
        _ schema: Schema?, of container: Container.ID
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in try containers.setSchema(schema, of: container) }
    }

    // MARK: - Sign-outs and restrictions

    /// The user signs out: requests from the device answer AUTHENTICATION_REQUIRED until the
    /// next sign-in, and nothing of what is stored changes.
    ///
    /// - Parameter device: nil: every device of the user, also those without a name.
    package func signOut(_ user: String, device: String? = nil) throws(MockStoreError) {
        try stored { () throws(CloudError) in try accounts.setSignedOut(true, user, device) }
    }

    /// The user signs in again.
    ///
    /// - Parameter device: nil: every device.
    package func signIn(_ user: String, device: String? = nil) throws(MockStoreError) {
        try stored { () throws(CloudError) in try accounts.setSignedOut(false, user, device) }
    }

    /// Whether requests of a user from a device are taken; nil: from no device of its own.
    package func isSignedIn(_ user: String, device: String? = nil) -> Bool {
        accounts.isSignedIn(user, device: device)
    }

    /// Closes a container to a user's own requests, or opens it, as the user does it in the
    /// settings: then they answer ACCESS_DENIED, and nothing of what is stored changes.
    package func setRestricted(
        _ isRestricted: Bool, for user: String, in container: Container.ID,
        _ environment: Container.Environment
    ) throws(MockStoreError) {
        let address = Database.Address(
            container: container, environment: environment, scope: .private)
        try stored { () throws(CloudError) in
            try accounts.setRestricted(isRestricted, user, at: address)
        }
    }

    // MARK: - Shares

    /// Lets another user read a zone: it appears in their shared database under its owner's record
    /// name, with everything that is and will be in it. They cannot write there.
    ///
    /// - Parameter address: The owner's private database.
    /// - Returns: Whether there is such a custom zone, and the two are not one user.
    package func shareZone(
        _ zoneName: String, at address: Database.Address, owner: String, with user: String
    ) throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in
            try shares.add(zoneName, owner: DatabaseKey(address: address, user: owner), user: user)
        }
    }

    /// Ends the sharing of a zone: it goes from the shared databases, and stays where it is.
    /// So a participant leaves a share, and so an owner takes it back.
    ///
    /// - Parameter user: The participant; nil: all of them.
    /// - Returns: The participants who had the zone, sorted.
    package func unshareZone(
        _ zoneName: String, at address: Database.Address, owner: String, with user: String? = nil
    ) throws(MockStoreError) -> [String] {
        try stored { () throws(CloudError) in
            try shares.end(zoneName, owner: DatabaseKey(address: address, user: owner), user: user)
        }
    }

    // MARK: - Zones and records

    /// Deletes zones of a user's private database, not as an app does it but as the user or the
    /// service does: calls on them answer with the reason until somebody creates them again.
    ///
    /// - Parameters:
    ///   - zone: nil: every custom zone. When the reason is `purged`, what is in the default zone
    ///     goes too, as the settings of a device offer it; the default zone itself cannot go.
    ///   - reason: ``RecordZone/DeletionReason/purged`` when the user erases the app's data in the
    ///     settings, ``RecordZone/DeletionReason/encryptedDataReset`` when the keys are lost.
    /// - Returns: The names of the zones that went, sorted.
    package func eraseZones(
        _ zone: String? = nil, at address: Database.Address, user: String,
        reason: RecordZone.DeletionReason
    ) throws(MockStoreError) -> [String] {
        try stored { () throws(CloudError) in
            guard address.scope == .private else { return [] }
            let database = try databases.state(DatabaseKey(address: address, user: user))
            return try zones.erase(zone, in: database, reason: reason)
        }
    }

    /// The user erases a zone in the settings of a device: gone, with another reason than a
    /// deletion by the app.
    ///
    /// - Returns: Whether there was such a zone.
    package func purgeZone(
        _ name: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> Bool {
        try !eraseZones(name, at: address, user: user, reason: .purged).isEmpty
    }

    /// Deletes a zone and creates it again at once, empty, as a device does that has lost its
    /// way; a zone that is not there is created.
    ///
    /// - Returns: Whether the zone is there now; false where there can be none of this name.
    package func recreateZone(
        _ name: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in
            let session = sessions.service(
                try databases.state(DatabaseKey(address: address, user: user)))
            let id = RecordZone.ID(name)
            _ = try zones.modify([.delete(id)], session)
            guard case .zone? = try zones.modify([.create(id)], session).first else { return false }
            return true
        }
    }

    /// Does at once what waits in the default zones because its target is gone.
    package func finishCascades() throws(MockStoreError) {
        try stored { () throws(CloudError) in try records.finishCascades() }
    }

    /// The records that were deleted from a zone and are not forgotten, in the order of their
    /// deletion.
    package func tombstones(
        in zone: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> [MockTombstone] {
        try stored { () throws(CloudError) in
            try records.tombstones(in: zone, of: DatabaseKey(address: address, user: user))
        }
    }

    /// Puts many zones and records into a user's database without the cost of commands: no
    /// indexes are asked for, no reference is looked after, and the schema is not enforced.
    ///
    /// - Parameters:
    ///   - zones: Names, `_defaultZone` among them where records are to go there; a zone that
    ///     is there keeps what it holds.
    ///   - user: The owner, or in a public database the creator; made when missing.
    ///   - records: Gives the records of each zone, asked zone by zone.
    package func seed(
        zones: some Sequence<String>, at address: Database.Address, user: String,
        records: (String) -> [SeedRecord] = { _ in [] }
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            if accounts.find(user) == nil { try accounts.put(MockUser(user)) }
            let owner = address.scope == .public ? "" : user
            let database = try databases.state(DatabaseKey(address: address, user: owner))
            try databases.beginWriting(database)
            let session = sessions.service(database, as: user)
            for name in zones { try self.records.seed(name, records(name), session) }
        }
    }

    // MARK: - Resets and change tokens

    /// Empties what fits `scope`. Users, containers and schemas stay; so do the counters behind
    /// tags and tokens, so that nothing from before is taken for something new.
    package func reset(_ scope: ResetScope = ResetScope()) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            for database in try databases.all(scope) {
                if let zone = scope.zoneName {
                    try zones.empty(zone, in: database)
                } else {
                    try zones.empty(database)
                }
            }
            guard scope.zoneName == nil else { return }
            if scope.scope == nil || scope.scope == .private {
                try accounts.liftRestrictions(scope)
            }
            if scope.user == nil, scope.scope == nil { try containers.forgetTypes(scope) }
        }
    }

    /// Makes every token given out so far answer as expired: of the zone in the scope, or of all
    /// zones and of the databases themselves.
    ///
    /// - Returns: How many databases had something to expire.
    @discardableResult
    package func expireTokens(_ scope: ResetScope = ResetScope()) throws(MockStoreError) -> Int {
        try stored { () throws(CloudError) in
            var count = 0
            for database in try databases.all(scope) where database.key.address.scope != .public {
                if try feeds.expireTokens(ofZone: scope.zoneName, in: database) { count += 1 }
            }
            return count
        }
    }

    /// Forgets which records were deleted, and which zones the apps deleted: tokens from before
    /// expire, unless they had seen all. Zones that the user erased are remembered.
    ///
    /// - Returns: How many databases were looked at.
    @discardableResult
    package func compactTombstones(
        _ scope: ResetScope = ResetScope()
    ) throws(MockStoreError) -> Int {
        try stored { () throws(CloudError) in
            var count = 0
            for database in try databases.all(scope) where database.key.address.scope != .public {
                if try feeds.compact(scope.zoneName, in: database) { count += 1 }
            }
            return count
        }
    }

    // MARK: - Snapshots and upkeep

    /// Keeps what every database holds now under a name, to be put back later. Users, sign-outs,
    /// restrictions and schemas are not part of it. A snapshot is gone with the process.
    ///
    /// - Throws: ``MockStoreError/Code/limit`` when there are ``MockOptions/snapshotsMax`` others.
    package func keepSnapshot(_ name: String) throws(MockStoreError) {
        guard !snapshots.isRestoring else { throw .restoring }
        try snapshots.keep(name)
    }

    /// Puts back what a snapshot holds, as when a server is restored from a backup.
    ///
    /// The counters behind tags, incarnations and shares are not turned back, so that nothing
    /// has a name that something else had. Tokens given out since the snapshot expire; those of
    /// before go on.
    ///
    /// - Returns: Whether there is a snapshot of this name.
    package func restoreSnapshot(_ name: String) throws(MockStoreError) -> Bool {
        guard let job = restoreJob(name) else { return false }
        try job.finish(self)
        return true
    }

    /// The same in slices; nil where there is no snapshot of this name.
    package func restoreJob(_ name: String) -> RestoreJob? { snapshots.restore(name) }

    /// Removes some of what deleted zones held.
    ///
    /// - Returns: Whether there is more to do.
    package func purgeSome() throws(MockStoreError) -> Bool {
        guard !snapshots.isRestoring else { return false }
        return try context.tables.translating { () throws(CloudError) in try removal.removeSome() }
    }

    /// Lets the store grow no further than this: writes that need more fail as on a full disk.
    ///
    /// - Parameter pages: Of 4096 bytes; no fewer than are in use.
    package func limitSize(pages: Int) throws(MockStoreError) {
        try stored { () throws(CloudError) in try context.tables.limitSize(pages: pages) }
    }

    /// Counts of every database that has been written to, in the order of their addresses.
    package func summary() throws(MockStoreError) -> [DatabaseSummary] {
        try stored { () throws(CloudError) in
            var summaries: [DatabaseSummary] = []
            for database in try databases.all(ResetScope()) {
                let key = database.key
                var summary = try context.tables.databases.summary(of: database)
                summary.isRestricted = accounts.isRestricted(key.user, at: key.address)
                summaries.append(summary)
            }
            return summaries
        }
    }
}
