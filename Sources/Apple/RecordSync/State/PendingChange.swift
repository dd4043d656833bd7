package import CloudModel

/// A change that waits to be sent: one to a thing, told apart by its ID.
package protocol PendingChange: Sendable, Hashable {
    associatedtype ID: Hashable & Sendable
    /// What is to be changed. Of two changes to one thing, the later replaces the earlier.
    var id: ID { get }
}

/// A record to save or to delete. Mirrors `CKSyncEngine.PendingRecordZoneChange`.
package enum PendingRecordChange: PendingChange {
    case save(Record.ID)
    case delete(Record.ID)

    package var id: Record.ID {
        switch self {
        case .save(let id), .delete(let id): id
        }
    }
}

/// A zone to save or to delete. Mirrors `CKSyncEngine.PendingDatabaseChange`.
package enum PendingZoneChange: PendingChange {
    case save(RecordZone.ID)
    case delete(RecordZone.ID)

    package var id: RecordZone.ID {
        switch self {
        case .save(let id), .delete(let id): id
        }
    }
}
