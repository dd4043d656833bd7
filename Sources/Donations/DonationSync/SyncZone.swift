package import Basics
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
    /// How many scans in a row were ended by a refused token.
    package var abortedScans: Int64 = 0
    /// Whether a finished scan still has old names to take away.
    package var isSweeping = false
    /// Whether there may be something to read.
    package var isDirty = false
    /// How many pages in a row came with the token they were asked with, and more to come.
    package var repeats: Int64 = 0
    /// The ``SyncDatabase/generation`` of the list of zones that named it last.
    package var listGeneration: Int64 = 0
    /// The latest moment that a record of it carried, by the service's clock.
    package var newest: Timestamp?
    /// What ``newest`` was when the running scan began; nil: nothing was ever seen. A record made
    /// later cannot be one that was seen before.
    package var floor: Timestamp?
    /// Whether a complete list of zones lacks it; its own feed has the last word.
    package var isUnlisted = false
    /// The run whose fence took away what was linked to it.
    package var fencedBy: String?
    /// Whether it was not found, and the database's feed is asked once more whether it is gone.
    package var isDoubted = false

    /// The generation behind the last reading that came to its end; names noted later were seen in
    /// scans that did not.
    var readGeneration: Int64 { generation - 1 - abortedScans }

    /// A zone of which nothing is known.
    package init(_ id: RecordZone.ID) { self.id = id }

    /// Forgets where its feed was read to, as for a zone never seen.
    mutating func scanAnew() {
        token = nil
        generation += 1
        isScanning = true
        isSweeping = false
        isDirty = false
        abortedScans = 0
        repeats = 0
        newest = nil
        floor = nil
    }
}

extension ChangeToken? {
    /// Whether it must not be stored: none, or the empty one, which would mean "caught up".
    var isUnusable: Bool { self?.rawValue.isEmpty ?? true }
}
