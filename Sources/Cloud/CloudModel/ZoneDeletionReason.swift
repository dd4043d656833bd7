extension RecordZone {
    /// Why a zone is gone. Mirrors `CKDatabase.DatabaseChange.Deletion.Reason`.
    package enum DeletionReason: String, Sendable, CaseIterable {
        /// An app deleted it.
        case deleted
        /// The user erased the app's data in the settings of a device.
        case purged
        /// The user lost the keys of what was encrypted end to end, and began anew.
        case encryptedDataReset

        /// The reason of a ZONE_NOT_FOUND answer about a zone that went this way.
        package var errorReason: String {
            switch self {
            case .deleted: "Zone does not exist"
            case .purged: "Zone was purged by user"
            case .encryptedDataReset: "Zone was lost when the user reset encrypted data"
            }
        }
    }
}

extension CloudError {
    /// Why the zone is gone, as far as a ZONE_NOT_FOUND answer says; nil for every other error.
    ///
    /// The service has one code for all of them and tells them apart by its words alone: this is
    /// the one place where words decide. Other words mean ``RecordZone/DeletionReason/deleted``.
    package var zoneDeletionReason: RecordZone.DeletionReason? {
        guard code == .zoneNotFound else { return nil }
        return RecordZone.DeletionReason.allCases.first { $0.errorReason == reason } ?? .deleted
    }
}
