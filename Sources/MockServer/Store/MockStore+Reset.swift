package import CloudModel

extension MockStore {
    /// Empties what fits `scope`. Users, containers and schemas stay; so do the counters behind
    /// tags and tokens, so that nothing from before is taken for something new.
    package func reset(_ scope: ResetScope = ResetScope()) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            for key in try tables.databaseKeys() where scope.covers(key) {
                let database = try database(key)
                try beginWriting(database)
                if let zoneName = scope.zoneName {
                    try empty(zoneName, database)
                } else {
                    try empty(database)
                }
            }
            guard scope.zoneName == nil else { return }
            if scope.scope == nil || scope.scope == .private {
                for key in restrictions where scope.covers(key) {
                    try restrict(false, key)
                }
            }
            if scope.user == nil, scope.scope == nil {
                try accountTables.deleteFields(scope)
                knownTypes.removeAll()
            }
        }
    }

    private func empty(_ database: DatabaseState) throws(CloudError) {
        try endShares(in: database)
        try tables.empty(database.id)
        database.floor = database.nextSeq()
        database.ghosts.removeAll()
        database.hasCascades = false
    }

    private func empty(_ zoneName: String, _ database: DatabaseState) throws(CloudError) {
        guard let row = try tables.zone(zoneName, in: database.id), row.isLive else { return }
        try tables.scheduleRemoval(of: row.incarnation)
        guard zoneName != Self.defaultZoneName else {
            return try tables.deleteRow(of: zoneName, in: database.id)
        }
        _ = try tables.markDeleted(
            zoneName, in: database.id, dbSeq: database.nextSeq(), reason: .deleted)
        try endShares(of: row.incarnation)
        try deleteSubscriptions(boundTo: zoneName, database)
    }

    /// Lets the store grow no further than this: writes that need more fail as on a full disk.
    ///
    /// - Parameter pages: Of 4096 bytes; no fewer than are in use.
    package func limitSize(pages: Int) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try tables.limitSize(pages: pages)
        }
    }

    /// Does at once what waits in the default zones because its target is gone.
    package func finishCascades() throws(MockStoreError) {
        try stored { () throws(CloudError) in
            for key in try tables.databaseKeys() {
                let database = try database(key)
                while database.hasCascades { try runCascades(database) }
            }
        }
    }

    /// Removes some of what deleted zones held.
    ///
    /// - Returns: Whether there is more to do.
    package func purgeSome() throws(MockStoreError) -> Bool {
        guard restoring == nil else { return false }
        return try translating { () throws(CloudError) in
            if try forgetChanges() { return true }
            return try removeChunk()
        }
    }

    private func removeChunk() throws(CloudError) -> Bool {
        guard let incarnation = try tables.nextRemoval(after: removedUpTo) else {
            removedUpTo = 0
            return false
        }
        if try isInSnapshot(incarnation) {
            removedUpTo = incarnation
        } else {
            try tables.beginIfNeeded()
            try tables.removeSome(of: incarnation)
        }
        return true
    }
}

extension ResetScope {
    func covers(_ key: DatabaseKey) -> Bool {
        (user == nil || user == key.user)
            && (container == nil || container == key.address.container)
            && (environment == nil || environment == key.address.environment)
            && (scope == nil || scope == key.address.scope)
    }
}

/// What a reset empties: everything that fits all the parts that are given.
package struct ResetScope: Sendable, Hashable {
    package var user: String?
    package var container: Container.ID?
    package var environment: Container.Environment?
    package var scope: Database.Scope?
    package var zoneName: String?

    /// Everything, until parts are named.
    package init(
        user: String? = nil, container: Container.ID? = nil,
        environment: Container.Environment? = nil, scope: Database.Scope? = nil,
        zoneName: String? = nil
    ) {
        self.user = user
        self.container = container
        self.environment = environment
        self.scope = scope
        self.zoneName = zoneName
    }
}
