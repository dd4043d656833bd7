import Foundation

/// A push of a database's subscription: something in one of its zones has changed.
// Unchecked, as its superclass: constants only.
public final class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// The subscription's database; what the push does not say counts as the private one.
    public var databaseScope: CKDatabase.Scope { payload.scope ?? .private }
}
