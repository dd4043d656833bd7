public import Foundation

// Sharing, which the server behind this library does not have.
extension CKContainer {
    /// Not available.
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        throw CKError.notAvailable("Sharing")
    }

    /// Not available.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        throw CKError.notAvailable("Sharing")
    }

    /// Not available.
    public func shareParticipant(
        forUserRecordID userRecordID: CKRecord.ID
    ) async throws -> CKShare.Participant {
        throw CKError.notAvailable("Sharing")
    }

    /// Not available.
    public func shareParticipant(
        forEmailAddress emailAddress: String
    ) async throws -> CKShare.Participant {
        throw CKError.notAvailable("Sharing")
    }

    /// Not available.
    @preconcurrency public func fetchShareMetadata(
        with url: URL,
        completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await shareMetadata(for: url)
        }
    }

    /// Not available.
    @preconcurrency public func accept(
        _ metadata: CKShare.Metadata,
        completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in try await accept(metadata) }
    }
}
