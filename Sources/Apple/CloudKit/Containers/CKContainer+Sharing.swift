public import Foundation

// Sharing, with `async`
extension CKContainer {
    /// What a share's address leads to; the record that is shared is not fetched.
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        try await only(metadatas(of: [url], rootKeys: nil, fetchesRoot: false))
    }

    /// What shares' addresses lead to; each has a result of its own.
    public func shareMetadatas(
        for urls: [URL]
    ) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        byID(try await metadatas(of: urls, rootKeys: nil, fetchesRoot: false))
    }

    /// Accepts a share: its zone then is in the shared database. Accepting twice is no error.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        try await only(accepted([metadata]))
    }

    /// Accepts shares; each has a result of its own.
    @discardableResult
    public func accept(
        _ metadatas: [CKShare.Metadata]
    ) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        byID(try await accepted(metadatas))
    }

    /// Somebody to share with, by email address; they need no account yet.
    public func shareParticipant(
        forEmailAddress emailAddress: String
    ) async throws -> CKShare.Participant {
        try await only(participants([.init(emailAddress: emailAddress)]))
    }

    /// Somebody to share with, by telephone number; they need no account yet.
    public func shareParticipant(
        forPhoneNumber phoneNumber: String
    ) async throws -> CKShare.Participant {
        try await only(participants([.init(phoneNumber: phoneNumber)]))
    }

    /// Somebody to share with, by record ID: a user who lets themselves be found.
    public func shareParticipant(
        forUserRecordID userRecordID: CKRecord.ID
    ) async throws -> CKShare.Participant {
        try await only(participants([.init(userRecordID: userRecordID)]))
    }

    /// People to share with, by email address; each has a result of its own.
    public func shareParticipants(
        forEmailAddresses emailAddresses: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        let found = try await participants(LookupInfo.lookupInfos(withEmails: emailAddresses))
        return byID(zip(emailAddresses, found).map { ($0, $1.result) })
    }

    /// People to share with, by telephone number; each has a result of its own.
    public func shareParticipants(
        forPhoneNumbers phoneNumbers: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        let found = try await participants(LookupInfo.lookupInfos(withPhoneNumbers: phoneNumbers))
        return byID(zip(phoneNumbers, found).map { ($0, $1.result) })
    }

    /// People to share with, by record ID; each has a result of its own.
    public func shareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
        let found = try await participants(LookupInfo.lookupInfos(with: userRecordIDs))
        return byID(zip(userRecordIDs, found).map { ($0, $1.result) })
    }

    /// People to share with; each has a result of its own.
    public func shareParticipants(
        for lookupInfos: [CKUserIdentity.LookupInfo]
    ) async throws -> [CKUserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] {
        byID(try await participants(lookupInfos))
    }

    private typealias LookupInfo = CKUserIdentity.LookupInfo

    private func only<ID, Value>(_ found: ItemResults<ID, Value>) throws(CKError) -> Value {
        guard let first = found.first else { throw CKDatabase.noAnswer }
        return try first.result.get()
    }
}

// Sharing, with completion handlers
extension CKContainer {
    /// What a share's address leads to; the record that is shared is not fetched.
    @preconcurrency public func fetchShareMetadata(
        with url: URL,
        completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await shareMetadata(for: url)
        }
    }

    /// Accepts a share: its zone then is in the shared database. Accepting twice is no error.
    @preconcurrency public func accept(
        _ metadata: CKShare.Metadata,
        completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in try await accept(metadata) }
    }

    /// Somebody to share with, by email address; they need no account yet.
    @preconcurrency public func fetchShareParticipant(
        withEmailAddress emailAddress: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await shareParticipant(forEmailAddress: emailAddress)
        }
    }

    /// Somebody to share with, by telephone number; they need no account yet.
    @preconcurrency public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await shareParticipant(forPhoneNumber: phoneNumber)
        }
    }

    /// Somebody to share with, by record ID: a user who lets themselves be found.
    @preconcurrency public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        privateCloudDatabase.enqueue(completionHandler) { [self] _ in
            try await shareParticipant(forUserRecordID: userRecordID)
        }
    }
}
