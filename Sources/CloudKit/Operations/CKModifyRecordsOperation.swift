import Foundation

/// Saves and deletes records.
// Unchecked, as its superclass: apps set it up before they enqueue it.
public final class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// What counts when the server's record is newer.
    public enum RecordSavePolicy: Int, Sendable {
        /// The save fails.
        case ifServerRecordUnchanged = 0
        /// The changed fields are written all the same.
        case changedKeys = 1
        /// All fields that the client has are written all the same.
        case allKeys = 2
    }
}
