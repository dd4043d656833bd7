public import Foundation

/// Fetches what shares' addresses lead to. Not available: every address fails.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The addresses.
    public var shareURLs: [URL]?
    /// Whether the roots are fetched, too.
    public var shouldFetchRootRecord = false
    /// The fields of the roots to fetch; nil: all.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?
    /// Called for each address.
    @preconcurrency public var perShareMetadataResultBlock:
        (@Sendable (URL, Result<CKShare.Metadata, any Error>) -> Void)?
    /// Called at the end.
    @preconcurrency public var fetchShareMetadataResultBlock:
        (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called for each address. Apple calls it deprecated.
    @preconcurrency public var perShareMetadataBlock:
        (@Sendable (URL, CKShare.Metadata?, (any Error)?) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    @preconcurrency public var fetchShareMetadataCompletionBlock:
        (@Sendable ((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that fetches what addresses lead to.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func run() async {
        let error = refusal() ?? .notAvailable("Sharing")
        for url in shareURLs ?? [] {
            perShareMetadataResultBlock?(url, .failure(error))
            perShareMetadataBlock?(url, nil, error)
        }
        fetchShareMetadataResultBlock?(.failure(error))
        fetchShareMetadataCompletionBlock?(error)
    }
}

/// Accepts shares. Not available: every share fails.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// What the shares' addresses lead to.
    public var shareMetadatas: [CKShare.Metadata]?
    /// Called for each share.
    @preconcurrency public var perShareResultBlock:
        (@Sendable (CKShare.Metadata, Result<CKShare, any Error>) -> Void)?
    /// Called at the end.
    @preconcurrency public var acceptSharesResultBlock:
        (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called for each share. Apple calls it deprecated.
    @preconcurrency public var perShareCompletionBlock:
        (@Sendable (CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    @preconcurrency public var acceptSharesCompletionBlock: (@Sendable ((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that accepts some shares.
    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override func run() async {
        let error = refusal() ?? .notAvailable("Sharing")
        for metadata in shareMetadatas ?? [] {
            perShareResultBlock?(metadata, .failure(error))
            perShareCompletionBlock?(metadata, nil, error)
        }
        acceptSharesResultBlock?(.failure(error))
        acceptSharesCompletionBlock?(error)
    }
}

/// Fetches participants for shares. Not available: every person fails.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// What the people are looked up by.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    /// Called for each person.
    @preconcurrency public var perShareParticipantResultBlock:
        (@Sendable (CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
    /// Called at the end.
    @preconcurrency public var fetchShareParticipantsResultBlock:
        (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    @preconcurrency public var fetchShareParticipantsCompletionBlock:
        (@Sendable ((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that looks some people up.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func run() async {
        let error = refusal() ?? .notAvailable("Sharing")
        for person in userIdentityLookupInfos ?? [] {
            perShareParticipantResultBlock?(person, .failure(error))
        }
        fetchShareParticipantsResultBlock?(.failure(error))
        fetchShareParticipantsCompletionBlock?(error)
    }
}
