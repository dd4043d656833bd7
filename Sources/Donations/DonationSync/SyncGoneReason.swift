/// Why a zone is no longer there.
package enum SyncGoneReason: String, Sendable, Hashable, CaseIterable {
    /// An app or a tool deleted it.
    case deleted
    /// The user erased the app's data in the settings of a device.
    case purged
    /// The user lost the keys of what was encrypted end to end.
    case encryptedDataReset
    /// A share was revoked or left: the zone is no longer in the shared database.
    case unshared
}
