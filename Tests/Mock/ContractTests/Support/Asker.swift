import CloudModel
import MockStore
import Testing

/// One database, asked in the words of the tests.
struct Asker {
    let service: any Service
    let address: Database.Address
    let caller: Caller

    /// Asks, and holds the reply against the request: what a polite service says always fits.
    func ask(_ command: CloudCommand) async throws -> CloudReply {
        let reply = try await service.database(at: address, by: caller).perform(command)
        try ReplyCheck.check(reply, answers: command, in: address.scope)
        return reply
    }

    /// What a whole request fails with; nil when it does not.
    func refusal(_ command: CloudCommand) async -> CloudError? {
        do {
            _ = try await ask(command)
            return nil
        } catch let error as CloudError {
            return error
        } catch {
            Issue.record("not an error of the service: \(error)")
            return nil
        }
    }

    func code(_ command: CloudCommand) async -> CloudError.Code? { await refusal(command)?.code }
    func reason(_ command: CloudCommand) async -> String? { await refusal(command)?.reason }

    func me() async throws -> UserIdentity {
        guard case .user(let user) = try await ask(.read(.caller)) else { throw Odd() }
        return user
    }

    // MARK: - Zones

    @discardableResult
    func zones(_ operations: RecordZone.Operation...) async throws -> [RecordZone.Item] {
        guard case .zones(let items) = try await ask(.write(.modifyZones(operations))) else {
            throw Odd()
        }
        return items
    }

    @discardableResult
    func create(_ names: String...) async throws -> [RecordZone.Item] {
        let operations = names.map { RecordZone.Operation.create(RecordZone.ID($0)) }
        guard case .zones(let items) = try await ask(.write(.modifyZones(operations))) else {
            throw Odd()
        }
        return items
    }

    @discardableResult
    func delete(zone name: String) async throws -> RecordZone.Item {
        try #require(await zones(.delete(RecordZone.ID(name))).first)
    }

    func list(_ token: ChangeToken? = nil) async throws -> ZonePage {
        guard case .zonePage(let page) = try await ask(.read(.listZones(token: token))) else {
            throw Odd()
        }
        return page
    }

    func listedNames() async throws -> [String] {
        var names: [String] = []
        var token: ChangeToken?
        while true {
            let page = try await list(token)
            names += page.zones.map(\.id.zoneName)
            guard page.moreComing else { return names }
            token = page.token
        }
    }

    func databaseChanges(_ token: ChangeToken?, limit: Int? = nil) async throws -> ZonePage {
        let reply = try await ask(.read(.databaseChanges(token: token, limit: limit)))
        guard case .zonePage(let page) = reply else { throw Odd() }
        return page
    }

    // MARK: - Records

    func modify(
        _ operations: [RecordOperation], zone: String = "Notes", atomic: Bool? = nil,
        desiredKeys: [String]? = nil
    ) async throws -> RecordsReply {
        let request = RecordModifyRequest(
            operations: operations, zoneID: RecordZone.ID(zone), atomic: atomic,
            desiredKeys: desiredKeys)
        guard case .records(let reply) = try await ask(.write(.modifyRecords(request))) else {
            throw Odd()
        }
        return reply
    }

    /// Carries out one operation, on its own.
    @discardableResult
    func one(_ operation: RecordOperation, zone: String = "Notes") async throws -> Record.Item {
        try #require(await modify([operation], zone: zone, atomic: false).records.first)
    }

    /// Writes a record whatever was there.
    @discardableResult
    func put(
        _ name: String, _ fields: [String: FieldValue] = [:], zone: String = "Notes",
        type: String = "Note", parent: String? = nil
    ) async throws -> Record {
        let operation = RecordOperation(
            .forceUpdate, recordName: name, recordType: type,
            fields: fields.mapValues { Field($0) },
            parent: parent.map { Record.Reference($0) })
        return try #require(await one(operation, zone: zone).record)
    }

    func lookUp(_ names: String..., zone: String = "Notes") async throws -> [Record.Item] {
        let request = RecordLookupRequest(recordNames: names, zoneID: RecordZone.ID(zone))
        guard case .records(let reply) = try await ask(.read(.lookUpRecords(request))) else {
            throw Odd()
        }
        return reply.records
    }

    func exists(_ name: String, zone: String = "Notes") async throws -> Bool {
        try await lookUp(name, zone: zone).first?.record != nil
    }

    func query(
        _ query: Query, zone: String? = "Notes", zoneWide: Bool = false, limit: Int? = nil,
        marker: String? = nil, desiredKeys: [String]? = nil
    ) async throws -> RecordPage {
        let request = RecordQueryRequest(
            query: query, zoneID: zone.map { RecordZone.ID($0) }, zoneWide: zoneWide, limit: limit,
            continuationMarker: marker, desiredKeys: desiredKeys)
        guard case .recordPage(let page) = try await ask(.read(.queryRecords(request))) else {
            throw Odd()
        }
        return page
    }

    /// The names a query finds, over all its pages.
    func names(
        _ query: Query, zone: String? = "Notes", zoneWide: Bool = false, limit: Int? = nil
    ) async throws -> [String] {
        var names: [String] = []
        var marker: String?
        var pages = 0
        repeat {
            let page = try await self.query(
                query, zone: zone, zoneWide: zoneWide, limit: limit, marker: marker)
            names += page.records.map(\.recordName)
            marker = page.continuationMarker
            pages += 1
            try #require(pages < 10_000)
        } while marker != nil
        return names
    }

    // MARK: - Assets

    /// Uploads bytes for a field, and gives what is to be its value.
    func upload(
        _ bytes: [UInt8], _ record: String, _ field: String = "photo", zone: String = "Notes"
    ) async throws -> Asset {
        try await service.upload(bytes, to: try await uploadURL(record, field, zone: zone))
    }

    func uploadURL(
        _ record: String, _ field: String = "photo", zone: String = "Notes"
    ) async throws -> String {
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: field, recordName: record)
        let request = AssetUploadRequest([token], zoneID: RecordZone.ID(zone))
        guard case .assetUploads(let items) = try await ask(.write(.uploadAssets(request))),
            case .address(_, let url)? = items.first
        else { throw Odd() }
        return url
    }

    func rereference(
        _ record: String, _ field: String = "photo", zone: String = "Notes"
    ) async throws -> AssetRereferenceRequest.Item {
        let request = AssetRereferenceRequest(
            [AssetField(record, field)], zoneID: RecordZone.ID(zone))
        guard case .assets(let items) = try await ask(.write(.rereferenceAssets(request))) else {
            throw Odd()
        }
        return try #require(items.first)
    }

    // MARK: - Feeds

    func feed(
        _ token: ChangeToken?, zone: String = "Notes", limit: Int? = nil,
        desiredKeys: [String]? = nil
    ) async throws -> ZoneChangesPage {
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID(zone), token: token, limit: limit, desiredKeys: desiredKeys)
        guard case .zoneChanges(let items) = try await ask(.read(.zoneChanges([request]))) else {
            throw Odd()
        }
        switch try #require(items.first) {
        case .page(let page): return page
        case .failure(_, let error): throw error
        }
    }

    func feedError(_ token: ChangeToken?, zone: String = "Notes") async throws -> CloudError? {
        do {
            _ = try await feed(token, zone: zone)
            return nil
        } catch let error as CloudError { return error }
    }

    /// Everything since a token, page by page.
    func drain(
        _ token: ChangeToken? = nil, zone: String = "Notes", limit: Int? = nil
    ) async throws -> (items: [Record.Item], token: ChangeToken) {
        var items: [Record.Item] = []
        var token = token
        var pages = 0
        while true {
            let page = try await feed(token, zone: zone, limit: limit)
            items += page.records
            token = page.token
            pages += 1
            try #require(pages < 100_000)
            if !page.moreComing { return (items, page.token) }
        }
    }

    // MARK: - Subscriptions

    @discardableResult
    func subscribe(_ operations: Subscription.Operation...) async throws -> [Subscription.Item] {
        let reply = try await ask(.write(.modifySubscriptions(operations)))
        guard case .subscriptions(let items) = reply else { throw Odd() }
        return items
    }

    func subscriptions() async throws -> [Subscription.Item] {
        guard case .subscriptions(let items) = try await ask(.read(.listSubscriptions)) else {
            throw Odd()
        }
        return items
    }

    /// A push token for the device that asks.
    func pushToken(clientID: String? = nil) async throws -> PushToken {
        let command = CloudCommand.write(.createToken(.development, clientID: clientID))
        guard case .pushToken(let token) = try await ask(command) else { throw Odd() }
        return token
    }
}
