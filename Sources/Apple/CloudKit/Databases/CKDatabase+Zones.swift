import Foundation

// Zones, with `async`
extension CKDatabase {
    /// All zones of the database.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await zones(nil).map { try $0.result.get() }
    }

    /// A zone.
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        guard let found = try await zones([zoneID]).first else { throw Self.noAnswer }
        return try found.result.get()
    }

    /// Zones by ID; each has a result of its own.
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        byID(try await zones(ids))
    }

    /// Creates a zone; an existing one stays as it is.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        guard let saved = try await modify([zone], []).saved.first else { throw Self.noAnswer }
        return try saved.result.get()
    }

    /// Deletes a zone with all its records, for good.
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        guard let deleted = try await modify([], [zoneID]).deleted.first else {
            throw Self.noAnswer
        }
        try deleted.result.get()
        return zoneID
    }

    /// Creates and deletes zones; each has a result of its own.
    @discardableResult
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        let changes = try await modify(recordZonesToSave, recordZoneIDsToDelete)
        return (byID(changes.saved), byID(changes.deleted))
    }

    static let noAnswer = CKError(.internalError, "the response lacks the item")
}

// Zones, with completion handlers
extension CKDatabase {
    /// All zones of the database.
    @preconcurrency public func fetchAllRecordZones(
        completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.allRecordZones() }
    }

    /// A zone.
    @preconcurrency public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.recordZone(for: zoneID) }
    }

    /// Zones by ID; each has a result of its own.
    @preconcurrency public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>
            ) -> Void
    ) {
        enqueueResult(completionHandler) { try await $0.recordZones(for: zoneIDs) }
    }

    /// Creates a zone; an existing one stays as it is.
    @preconcurrency public func save(
        _ zone: CKRecordZone,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.save(zone) }
    }

    /// Deletes a zone with all its records, for good.
    @preconcurrency public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        enqueue(completionHandler) { try await $0.deleteRecordZone(withID: zoneID) }
    }

    /// Creates and deletes zones; each has a result of its own.
    @preconcurrency public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.modifyRecordZones(
                saving: recordZonesToSave, deleting: recordZoneIDsToDelete)
        }
    }

    /// Adds an operation that tells a value or an error.
    func enqueue<Value: Sendable>(
        _ done: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ work: @escaping @Sendable (CKDatabase) async throws -> Value
    ) {
        enqueueResult(
            { (result: Result<Value, any Error>) in
                switch result {
                case .success(let value): done(value, nil)
                case .failure(let error): done(nil, error)
                }
            }, work)
    }

    /// Adds an operation that tells a result.
    func enqueueResult<Value: Sendable>(
        _ done: @escaping @Sendable (Result<Value, any Error>) -> Void,
        _ work: @escaping @Sendable (CKDatabase) async throws -> Value
    ) {
        let operation = ClosureOperation(work, done)
        if let configuration { operation.configuration = configuration }
        operation.group = group
        add(operation)
    }
}
