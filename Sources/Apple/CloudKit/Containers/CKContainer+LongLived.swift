import Basics
import CloudModel
import Foundation

// Operations that an earlier process has begun.
extension CKContainer {
    /// The long-lived operations of the user in this container that have not ended, here or in other processes.
    ///
    /// Nothing goes on after a process: fetch those of an earlier one, set their blocks, and add them
    /// again; they are carried out from the beginning, although a part may have been carried out
    /// before. After a week they are forgotten.
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
        guard let folder = place.longLivedFolder else { return [] }
        let user = try await userName()
        return try folder.all(now: WallClock.system.now.date)
            .filter { $0.kept.user == user }.map(\.id)
    }

    /// A long-lived operation that has not ended; nil when there is none with the ID.
    ///
    /// - Throws: ``CKError``: `serviceUnavailable` while another process is at work on it.
    public func longLivedOperation(
        for operationID: CKOperation.ID
    ) async throws -> CKOperation? {
        guard let folder = place.longLivedFolder else { return nil }
        let user = try await userName()
        let operation = try folder.operation(
            operationID, for: user, now: WallClock.system.now.date)
        if let operation = operation as? CKDatabaseOperation, operation.database == nil,
            let scope = operation.keptScope
        {
            operation.database = database(with: scope)
        }
        return operation
    }

    /// The long-lived operations of the user in this container that have not ended.
    @preconcurrency public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await allLongLivedOperationIDs()
        }
    }

    /// A long-lived operation that has not ended; nil when there is none with the ID.
    @preconcurrency public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID,
        completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueueResult(
            { (result: Result<CKOperation?, any Error>) in
                switch result {
                case .success(let operation): completionHandler(operation, nil)
                case .failure(let error): completionHandler(nil, error)
                }
            },
            { [self] _ in try await longLivedOperation(for: operationID) })
    }

    private func userName() async throws(CKError) -> String {
        try await privateCloudDatabase.ask { database throws(CloudError) in
            try await database.caller()
        }.userRecordName
    }
}
