/// One database of one user, to look at. Has no way to change anything.
package protocol CloudDatabaseReading: Sendable {
    var address: Database.Address { get }

    /// Answers a command that changes nothing.
    ///
    /// - Precondition: `command.isModifying` is false.
    func read(_ command: CloudCommand) async throws(CloudError) -> CloudReply
}

/// One database of one user: the only way to it, for a real service and for the mock server's
/// account in process, behind the wire codec, and behind TLS.
package protocol CloudDatabase: CloudDatabaseReading {
    /// Carries out a command, whichever it is.
    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply
}

extension CloudDatabase {
    package func read(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        precondition(!command.isModifying, "a modifying command was given to read(_:)")
        return try await perform(command)
    }
}

/// A database with its modifying half taken away: what `plan` and `verify` are given.
package struct ReadOnlyDatabase: CloudDatabaseReading {
    private let base: any CloudDatabase
    package init(_ base: any CloudDatabase) { self.base = base }

    package var address: Database.Address { base.address }
    package func read(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        precondition(!command.isModifying, "a modifying command was given to a read-only database")
        return try await base.perform(command)
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
        _ command: CloudCommand, _ pick: (CloudReply) -> Value?
    ) async throws(CloudError) -> Value {
        let reply = try await read(command)
        guard let value = pick(reply) else { throw .wrongReply(to: command) }
        return value
    }
}

extension CloudDatabase {
    /// Creates and deletes zones, item by item; at most 200, one operation for each zone.
    package func modifyZones(
        _ operations: [RecordZone.Operation]
    ) async throws(CloudError) -> [RecordZone.Item] {
        let command = CloudCommand.modifyZones(operations)
        guard case .zones(let items) = try await perform(command) else {
            throw .wrongReply(to: command)
        }
        return items
    }

    /// Changes records, item by item; at most 200.
    package func modifyRecords(
        _ request: RecordModifyRequest
    ) async throws(CloudError) -> RecordsReply {
        let command = CloudCommand.modifyRecords(request)
        guard case .records(let reply) = try await perform(command) else {
            throw .wrongReply(to: command)
        }
        return reply
    }

    /// Changes subscriptions, item by item; at most 200.
    package func modifySubscriptions(
        _ operations: [Subscription.Operation]
    ) async throws(CloudError) -> [Subscription.Item] {
        let command = CloudCommand.modifySubscriptions(operations)
        guard case .subscriptions(let items) = try await perform(command) else {
            throw .wrongReply(to: command)
        }
        return items
    }
}

extension CloudError {
    /// The server answered, but not with what the command asks for.
    package static func wrongReply(to command: CloudCommand) -> CloudError {
        CloudError(
            .unexpectedResponse, reason: "the answer to \(command.operationPath) has another shape")
    }
}
