/// One database of one user, to look at. Has no way to change anything.
package protocol CloudDatabaseReading: Sendable {
    var address: Database.Address { get }

    /// Answers a request that changes nothing.
    func read(_ request: CloudRead) async throws(CloudError) -> CloudReply
}

/// One database of one user: the only way to it, for a real service and for the mock server's
/// account in process, behind the wire codec, and behind TLS.
package protocol CloudDatabase: CloudDatabaseReading {
    /// Carries out a request of either kind.
    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply
}

extension CloudDatabase {
    package func read(_ request: CloudRead) async throws(CloudError) -> CloudReply {
        try await perform(.read(request))
    }

    /// Carries out a request that changes something.
    package func write(_ request: CloudWrite) async throws(CloudError) -> CloudReply {
        try await perform(.write(request))
    }
}

extension CloudDatabaseReading {
    /// One page of the database's zones.
    package func zones(after token: ChangeToken? = nil) async throws(CloudError) -> ZonePage {
        try await expect(.listZones(token: token)) {
            if case .zonePage(let page) = $0 { page } else { nil }
        }
    }

    /// One page of the zones changed since `token`.
    package func databaseChanges(
        since token: ChangeToken?, limit: Int? = nil
    ) async throws(CloudError) -> ZonePage {
        try await expect(.databaseChanges(token: token, limit: limit)) {
            if case .zonePage(let page) = $0 { page } else { nil }
        }
    }

    /// The zones of these IDs, item by item.
    package func zones(
        for zoneIDs: [RecordZone.ID]
    ) async throws(CloudError) -> [RecordZone.Item] {
        try await expect(.lookUpZones(zoneIDs)) {
            if case .zones(let items) = $0 { items } else { nil }
        }
    }

    /// One page of changes for each of several zones.
    package func zoneChanges(
        _ requests: [ZoneChangesRequest]
    ) async throws(CloudError) -> [ZoneChangesItem] {
        try await expect(.zoneChanges(requests)) {
            if case .zoneChanges(let items) = $0 { items } else { nil }
        }
    }

    /// One page of a query.
    package func records(
        matching request: RecordQueryRequest
    ) async throws(CloudError) -> RecordPage {
        try await expect(.queryRecords(request)) {
            if case .recordPage(let page) = $0 { page } else { nil }
        }
    }

    /// Records by name, item by item.
    package func records(for request: RecordLookupRequest) async throws(CloudError) -> RecordsReply
    {
        try await expect(.lookUpRecords(request)) {
            if case .records(let reply) = $0 { reply } else { nil }
        }
    }

    /// Every subscription of the caller in this database.
    package func subscriptions() async throws(CloudError) -> [Subscription.Item] {
        try await expect(.listSubscriptions) {
            if case .subscriptions(let items) = $0 { items } else { nil }
        }
    }

    /// Who is signed in.
    package func caller() async throws(CloudError) -> UserIdentity {
        try await expect(.caller) { if case .user(let user) = $0 { user } else { nil } }
    }

    private func expect<Value>(
        _ request: CloudRead, _ pick: (CloudReply) -> Value?
    ) async throws(CloudError) -> Value {
        let reply = try await read(request)
        guard let value = pick(reply) else { throw .wrongReply(to: request) }
        return value
    }
}

extension CloudDatabase {
    /// Creates and deletes zones, item by item; at most 200, one operation for each zone.
    package func modifyZones(
        _ operations: [RecordZone.Operation]
    ) async throws(CloudError) -> [RecordZone.Item] {
        let command = CloudWrite.modifyZones(operations)
        guard case .zones(let items) = try await write(command) else {
            throw .wrongReply(to: command)
        }
        return items
    }

    /// Changes records, item by item; at most 200.
    package func modifyRecords(
        _ request: RecordModifyRequest
    ) async throws(CloudError) -> RecordsReply {
        let command = CloudWrite.modifyRecords(request)
        guard case .records(let reply) = try await write(command) else {
            throw .wrongReply(to: command)
        }
        return reply
    }

    /// Changes subscriptions, item by item; at most 200.
    package func modifySubscriptions(
        _ operations: [Subscription.Operation]
    ) async throws(CloudError) -> [Subscription.Item] {
        let command = CloudWrite.modifySubscriptions(operations)
        guard case .subscriptions(let items) = try await write(command) else {
            throw .wrongReply(to: command)
        }
        return items
    }
}

extension CloudError {
    /// The server answered, but not with what the request asks for.
    package static func wrongReply(to request: CloudRead) -> CloudError {
        wrongReply(to: .read(request))
    }

    /// The server answered, but not with what the request asks for.
    package static func wrongReply(to request: CloudWrite) -> CloudError {
        wrongReply(to: .write(request))
    }

    private static func wrongReply(to command: CloudCommand) -> CloudError {
        CloudError(
            .unexpectedResponse,
            reason: "the response to \(command.operationPath) has another shape")
    }
}

/// A database with its modifying half taken away: what `plan` and `verify` are given.
package struct ReadOnlyDatabase: CloudDatabaseReading {
    private let base: any CloudDatabaseReading

    package init(_ base: any CloudDatabaseReading) { self.base = base }

    package var address: Database.Address { base.address }

    /// Asks the other database.
    package func read(_ request: CloudRead) async throws(CloudError) -> CloudReply {
        try await base.read(request)
    }
}
