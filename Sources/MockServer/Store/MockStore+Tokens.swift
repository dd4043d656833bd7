package import CloudModel

extension MockStore {
    /// Makes every token given out so far answer as expired: of the zone in the scope, or of all
    /// zones and of the databases themselves.
    ///
    /// - Returns: How many databases had something to expire.
    @discardableResult
    package func expireTokens(_ scope: ResetScope = ResetScope()) throws(MockStoreError) -> Int {
        try stored { () throws(CloudError) in
            var count = 0
            for key in try tables.databaseKeys()
            where key.address.scope != .public && scope.covers(key) {
                let database = try database(key)
                try beginWriting(database)
                var isNamed = scope.zoneName == nil
                if key.address.scope == .shared {
                    isNamed = try renewShares(scope, of: key.user, key.address) || isNamed
                } else {
                    isNamed =
                        try tables.expireTokens(ofZone: scope.zoneName, in: database.id) || isNamed
                }
                if isNamed { count += 1 }
                if scope.zoneName == nil { database.floor = database.nextSeq() }
            }
            return count
        }
    }

    /// Gives shares new numbers, which the tokens of their zones are tied to; says whether there
    /// are any.
    private func renewShares(
        _ scope: ResetScope, of user: String, _ address: Database.Address
    ) throws(CloudError) -> Bool {
        let old = shares.values.joined().filter { share in
            share.user == user && share.participant.address == address
                && (scope.zoneName ?? share.zoneName) == share.zoneName
        }
        for share in old {
            try shareTable.renumber(share, nextIncarnation())
        }
        if !old.isEmpty { shares = try shareTable.all() }
        return !old.isEmpty
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
            for key in try tables.databaseKeys()
            where key.address.scope != .public && scope.covers(key) {
                let database = try database(key)
                try beginWriting(database)
                let zones = try rows(scope.zoneName, in: database)
                if scope.zoneName == nil || !zones.isEmpty { count += 1 }
                if key.address.scope == .private {
                    for zone in zones { try tables.deleteTombstones(of: zone, in: database.id) }
                }
                guard scope.zoneName == nil else { continue }
                if try tables.deleteZoneTombstones(in: database.id) {
                    database.floor = database.seq
                }
            }
            return count
        }
    }

    // MARK: - Pages

    /// Has the next pages of a database's feeds, and of its zones', delivered twice: each comes first with
    /// the token of the request, as if it were not the last. Pages without items do not count.
    package func repeatPages(
        _ count: Int, at address: Database.Address, user: String
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try database(DatabaseKey(address: address, user: user)).repeats = max(0, count)
        }
    }

    /// Has empty pages, with more to come, before the next pages of a database's feeds, and of its
    /// zones', that have items. A zone's token moves on to just before the next item.
    package func emptyPages(
        _ count: Int, at address: Database.Address, user: String
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try database(DatabaseKey(address: address, user: user)).empties = max(0, count)
        }
    }

    /// Whether an empty page comes instead of this one.
    func takeEmpty(_ database: DatabaseState, hasItems: Bool) -> Bool {
        guard database.empties > 0, hasItems else { return false }
        database.empties -= 1
        return true
    }

    /// Whether this page is one to be delivered once more.
    func takeRepeat(_ database: DatabaseState, hasItems: Bool) -> Bool {
        guard database.repeats > 0, hasItems else { return false }
        database.repeats -= 1
        return true
    }
}
