package import CloudModel

/// What is stored about one zone of a database.
package struct SyncZone: Sendable, Hashable {
    /// The zone; in the private database without owner.
    package let id: RecordZone.ID
    package var status = SyncZoneStatus.unknown
    /// Where its feed was read to; nil: from the beginning. Never the empty token.
    package var token: ChangeToken?
    /// Counts the scans; every name is noted with the scan that last delivered it.
    package var generation: Int64 = 1
    /// Whether the feed is being read from the beginning, so that a sweep follows its end.
    package var isScanning = true
    /// Whether a finished scan still has old names to take away.
    package var isSweeping = false
    /// Whether there may be something to read.
    package var isDirty = false
    /// How many pages in a row came with the token they were asked with, and more to come.
    package var repeats: Int64 = 0
    /// The ``SyncDatabase/generation`` of the list of zones that named it last.
    package var listGeneration: Int64 = 0
    /// Whether it was not found, and the database's feed is asked once more whether it is gone.
    package var isDoubted = false

    /// A zone of which nothing is known.
    package init(_ id: RecordZone.ID) { self.id = id }
}
