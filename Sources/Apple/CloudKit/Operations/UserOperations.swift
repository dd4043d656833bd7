import Foundation

/// Looks users up. Who does not let themselves be found is left out.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// What the users are looked up by.
    public var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    /// Called for each user that was found.
    public var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    /// Called at the end.
    public var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that looks some users up.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func run() async {
        do throws(CKError) {
            let container = try targetContainer()
            let infos = userIdentityLookupInfos ?? []
            let users = try await container.users(by: infos)
            for info in infos {
                if let user = users[info] { userIdentityDiscoveredBlock?(user, info) }
            }
            discoverUserIdentitiesResultBlock?(.success(()))
            discoverUserIdentitiesCompletionBlock?(nil)
        } catch {
            let error = reported(error)
            discoverUserIdentitiesResultBlock?(.failure(error))
            discoverUserIdentitiesCompletionBlock?(error)
        }
    }
}

/// Looks up all users in the address book. Not available: there is none.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    /// Called for each user that was found: never.
    public var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    /// Called at the end.
    public var discoverAllUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    /// Called at the end. Apple calls it deprecated.
    public var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    override func run() async {
        let error = refusal() ?? .notAvailable("Looking up the users of an address book")
        discoverAllUserIdentitiesResultBlock?(.failure(error))
        discoverAllUserIdentitiesCompletionBlock?(error)
    }
}

/// Fetches a web auth token, with which web services act as the user.
///
/// The token is the one that this process was configured with, in its newest form.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The container's API token.
    public var apiToken: String?
    /// Called at the end with the token.
    public var fetchWebAuthTokenResultBlock: ((Result<String, any Error>) -> Void)?
    /// Called at the end with the token. Apple calls it deprecated.
    public var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)?

    /// An operation without work yet.
    public override init() {}

    /// An operation that fetches a token for web services called with an API token.
    public convenience init(apiToken: String) {
        self.init()
        self.apiToken = apiToken
    }

    override func run() async {
        do throws(CKError) {
            let token = try target().place.webAuthToken(for: apiToken)
            fetchWebAuthTokenResultBlock?(.success(token))
            fetchWebAuthTokenCompletionBlock?(token, nil)
        } catch {
            let error = reported(error)
            fetchWebAuthTokenResultBlock?(.failure(error))
            fetchWebAuthTokenCompletionBlock?(nil, error)
        }
    }
}
