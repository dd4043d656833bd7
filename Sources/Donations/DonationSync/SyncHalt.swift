/// Why a ``SyncMachine`` stopped. Nothing was deleted because of it.
package enum SyncHalt: String, Sendable, Hashable, CaseIterable, Error {
    /// The service does not take the credentials. That alone does not mean "signed out".
    case notAuthenticated
    /// The user restricted the container: its donations are suspended until that ends.
    case restricted
    /// The server's certificate is not trusted, or an answer is not the service's: perhaps
    /// another environment, perhaps not the service at all.
    case wrongService
    /// The service refused a request that is right by its own documentation.
    case refused
    /// The schema lacks what the donation zone needs.
    case schemaRefused
    /// The database has no change feed: the public one.
    case noFeed
    /// The driver was cancelled.
    case cancelled
    /// No room is left for the user.
    case quotaExceeded
}
