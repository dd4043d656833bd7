import CloudModel
import MockStore
import Testing

extension Asker {
    // MARK: - Records of any zone, its owner named

    @discardableResult
    func modify(
        _ operations: [RecordOperation], in zone: RecordZone.ID, atomic: Bool = false
    ) async throws -> RecordsReply {
        let request = RecordModifyRequest(operations: operations, zoneID: zone, atomic: atomic)
        guard case .records(let reply) = try await ask(.write(.modifyRecords(request))) else {
            throw Odd()
        }
        return reply
    }

    @discardableResult
    func one(_ operation: RecordOperation, in zone: RecordZone.ID) async throws -> Record.Item {
        try #require(await modify([operation], in: zone).records.first)
    }

    func lookUp(_ name: String, in zone: RecordZone.ID) async throws -> Record.Item {
        let request = RecordLookupRequest(recordNames: [name], zoneID: zone)
        guard case .records(let reply) = try await ask(.read(.lookUpRecords(request))) else {
            throw Odd()
        }
        return try #require(reply.records.first)
    }

    func record(_ name: String, in zone: RecordZone.ID) async throws -> Record {
        try #require(await lookUp(name, in: zone).record)
    }

    func names(of type: String = "Note", in zone: RecordZone.ID) async throws -> [String] {
        let request = RecordQueryRequest(query: Query(recordType: type), zoneID: zone)
        guard case .recordPage(let page) = try await ask(.read(.queryRecords(request))) else {
            throw Odd()
        }
        return page.records.map(\.recordName).sorted()
    }

    /// Everything since a token, a few records a page.
    func drain(
        _ token: ChangeToken? = nil, in zone: RecordZone.ID, limit: Int = 3
    ) async throws -> (items: [Record.Item], token: ChangeToken) {
        var (items, token) = ([Record.Item](), token)
        for _ in 0..<1_000 {
            let request = ZoneChangesRequest(zoneID: zone, token: token, limit: limit)
            guard case .zoneChanges(let zones) = try await ask(.read(.zoneChanges([request]))),
                let item = zones.first
            else { throw Odd() }
            switch item {
            case .failure(_, let error): throw error
            case .page(let page):
                items += page.records
                token = page.token
                if !page.moreComing { return (items, page.token) }
            }
        }
        throw Odd()
    }

    func drainError(_ token: ChangeToken?, in zone: RecordZone.ID) async throws -> CloudError? {
        do {
            _ = try await drain(token, in: zone)
            return nil
        } catch let error as CloudError { return error }
    }

    // MARK: - Shares

    /// Makes a share.
    @discardableResult
    func saveShare(
        _ name: String, _ change: Share.Change, in zone: RecordZone.ID
    ) async throws -> Record.Item {
        try await one(.share(name, .create, change), in: zone)
    }

    @discardableResult
    func saveShare(
        _ name: String, _ kind: RecordOperation.Kind, _ change: Share.Change,
        tag: String? = nil, in zone: RecordZone.ID
    ) async throws -> Record.Item {
        try await one(.share(name, kind, change, tag: tag), in: zone)
    }

    func resolve(_ guid: String, fetchesRoot: Bool = true) async throws -> ShareMetadata.Item {
        let lookup = ShareLookup(guid, fetchesRoot: fetchesRoot)
        guard case .shares(let items) = try await ask(.read(.resolveShares([lookup]))) else {
            throw Odd()
        }
        return try #require(items.first)
    }

    @discardableResult
    func accept(_ guid: String) async throws -> ShareMetadata.Item {
        guard
            case .shares(let items) = try await ask(.write(.acceptShares([ShareLookup(guid)])))
        else { throw Odd() }
        return try #require(items.first)
    }
}

extension ShareMetadata.Item {
    var metadata: ShareMetadata? { if case .metadata(let found) = self { found } else { nil } }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension RecordOperation {
    /// A new share.
    static func share(_ name: String, _ change: Share.Change) -> RecordOperation {
        share(name, .create, change)
    }

    static func share(
        _ name: String, _ kind: Kind, _ change: Share.Change, tag: String? = nil
    ) -> RecordOperation {
        var operation = RecordOperation(
            kind, recordName: name, recordType: Share.recordType, recordChangeTag: tag)
        operation.share = change
        return operation
    }
}

/// Ada's zone `Trip`, and those she may share it with.
struct SharingScene {
    let world: World
    let ada: Asker
    let bob: Asker
    let cyn: Asker
    /// As everybody but Ada names it.
    let zone: RecordZone.ID
    /// As Ada names it.
    let own = RecordZone.ID("Trip")

    /// - Parameter names: Records, each with its parent; parents first.
    init(
        _ depth: Depth, _ names: KeyValuePairs<String, String?> = [:],
        options: MockOptions? = nil
    ) async throws {
        world = try World(depth, options: options)
        ada = world.ada
        bob = world.database(.shared, .user("bob"))
        cyn = world.database(.shared, Self.caller("cyn"))
        zone = RecordZone.ID("Trip", ownerRecordName: try await world.name("ada"))
        // A third person, of whom other tests do not hear.
        var third = MockUser("cyn")
        third.isDiscoverable = false
        try await world.service.add(third)
        try await ada.create("Trip")
        for (name, parent) in names { try await ada.put(name, zone: "Trip", parent: parent) }
    }

    /// Where somebody resolves and accepts shares.
    func lobby(_ user: String) -> Asker { world.database(.public, Self.caller(user)) }

    /// Only who was there from the start has a token without a device.
    private static func caller(_ user: String) -> Caller {
        user == "cyn" ? .user(user, device: "phone") : .user(user)
    }

    func name(_ user: String) async throws -> String {
        try await lobby(user).me().userRecordName
    }

    func invite(
        _ user: String, _ permission: Share.Permission = .readWrite
    ) async throws -> ShareParticipant {
        ShareParticipant(
            identity: UserIdentity(userRecordName: try await name(user)),
            permission: permission)
    }

    func root(_ name: String) async throws -> Share.Change.Root {
        Share.Change.Root(
            name, recordChangeTag: try await ada.record(name, in: own).recordChangeTag)
    }

    /// Shares a hierarchy, or without a root the zone, and has everybody accept.
    @discardableResult
    func share(
        _ root: String? = nil, as name: String = Share.zoneWideName,
        with people: KeyValuePairs<String, Share.Permission>
    ) async throws -> Record {
        var change = Share.Change(participants: [])
        if let root { change.root = try await self.root(root) }
        for (user, permission) in people {
            change.participants?.append(try await invite(user, permission))
        }
        let item = try await ada.saveShare(name, change, in: own)
        let share = try #require(item.record, "\(item)")
        for (user, _) in people {
            let accepted = try await lobby(user).accept(try #require(share.shortGUID))
            #expect(accepted.metadata?.acceptance == .accepted, "\(accepted)")
        }
        return try await ada.record(name, in: own)
    }
}
