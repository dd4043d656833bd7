import Foundation

/// Looks up people to share with.
///
/// The result block reports success when single people failed; the older completion block then
/// has `partialFailure`, with the errors by what they were looked up by.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// What the people are looked up by.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    /// Called for each person.
    public var perShareParticipantResultBlock:
        ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
    /// Called at the end.
    public var fetchShareParticipantsResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called for each person who was found. Apple calls it deprecated.
    public var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)?
    /// Called for each person. Apple calls it deprecated.
    public var perShareParticipantCompletionBlock:
        ((CKUserIdentity.LookupInfo, CKShare.Participant?, (any Error)?) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that looks some people up.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func run() async {
        do throws(CKError) {
            let found = try await targetContainer().participants(userIdentityLookupInfos ?? [])
            for (info, result) in found {
                perShareParticipantResultBlock?(info, result.erased)
                perShareParticipantCompletionBlock?(info, result.value, result.failure)
                if let participant = result.value { shareParticipantFetchedBlock?(participant) }
            }
            fetchShareParticipantsResultBlock?(.success(()))
            fetchShareParticipantsCompletionBlock?(
                CKError.partialFailure(of: found, "fetch some share participants"))
        } catch {
            let error = reported(error)
            fetchShareParticipantsResultBlock?(.failure(error))
            fetchShareParticipantsCompletionBlock?(error)
        }
    }
}
