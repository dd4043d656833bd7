import Foundation

/// A push of a query's subscription: what happened to one record.
// Unchecked, as its superclass: constants only.
public final class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// What happened to the record.
    public enum Reason: Int, Sendable {
        /// It is new.
        case recordCreated = 1
        /// It was changed.
        case recordUpdated = 2
        /// It was deleted.
        case recordDeleted = 3
    }

    /// What happened to the record; what the push does not say counts as a change.
    public var queryNotificationReason: CKQueryNotification.Reason {
        payload.reason ?? .recordUpdated
    }
    /// The fields that the subscription wanted along: texts and numbers, dates in milliseconds
    /// since 1970.
    public var recordFields: [String: Any]? { payload.fields }
    /// The record; nil where that was too long.
    public var recordID: CKRecord.ID? { payload.recordID }
    /// The subscription's database; what the push does not say counts as the private one.
    public var databaseScope: CKDatabase.Scope { payload.scope ?? .private }
}
