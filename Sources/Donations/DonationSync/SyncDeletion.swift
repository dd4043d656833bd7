package import Basics

/// For each device the highest number of its deletions that was seen without a gap.
package typealias DeletionContext = [String: Int64]

/// A deletion as it travels: who made it, and digests of what its selector asks for.
package struct SyncDeletion: Sendable, Hashable {
    /// The device that deleted.
    package var device: String
    /// Its number among the deletions of that device, from 1.
    package var sequence: Int64
    /// What kind of selector, as the record spells it.
    package var kind: String
    /// Keyed digests of the selector's names: no text of the user.
    package var keys: [String]
    /// The digest of the selector's index; nil: any.
    package var indexKey: String?
    /// Bounds of a selector by time, in milliseconds since 1970; 0 otherwise.
    package var from: Int64 = 0
    /// The other bound.
    package var until: Int64 = 0
    /// When it was made.
    package var at: Timestamp
    /// The scan of the donation zone that last delivered its record; 0: it was not delivered yet;
    /// ``collected``: its record is gone for good.
    package var generation: Int64 = 0
    /// The ``generation`` of deletions that were collected.
    package static let collected: Int64 = -1
    /// When its record was made, by the service's clock; nil: not known yet.
    package var storedAt: Timestamp?

    /// Whether it was collected: it is remembered here, and no longer in the zone.
    package var isCollected: Bool { generation == Self.collected }

    /// A deletion of a device.
    package init(
        device: String, sequence: Int64, kind: String, keys: [String], at: Timestamp
    ) {
        self.device = device
        self.sequence = sequence
        self.kind = kind
        self.keys = keys
        self.at = at
    }
}
