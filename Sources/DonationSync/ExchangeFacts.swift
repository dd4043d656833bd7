package import CloudModel

/// What this device knows of the donation zone and of itself in it.
package struct ExchangeFacts: Sendable, Hashable {
    /// Whether the user lets this app's donations be uploaded and taken.
    package var isOn = false
    /// This device's name in the zone; nil until it needs one.
    package var device: String?
    /// The number of its latest deletion.
    package var sequence: Int64 = 0
    /// The rounds it confirmed.
    package var round: Int64 = 0
    /// The zone's nonce (R8).
    package var incarnation: String?
    /// The key of all digests of this zone.
    package var zoneKey: [UInt8]?
    /// What this device has seen of others' deletions and its own, without gaps.
    package var context: DeletionContext = [:]
    /// What was collected (R7).
    package var base: DeletionContext = [:]
    /// The context of the latest confirmation that arrived.
    package var confirmed: DeletionContext = [:]
    /// Whether a confirmation ever arrived.
    package var isRegistered = false
    /// Change tags of the zone's record and of this device's.
    package var zoneTag: String?
    /// The tag of this device's record.
    package var deviceTag: String?
    /// Where the feed of deletions was read to.
    package var deletionsToken: ChangeToken?
    /// Where the feed of donations was read to.
    package var rowsToken: ChangeToken?
    /// Counts the readings of the donations' feed from its beginning.
    package var generation: Int64 = 1
    /// Whether that feed is being read from its beginning.
    package var isScanning = true
    /// When a round was last confirmed.
    package var confirmedAt: Timestamp?

    /// A device that knows nothing yet.
    package init() {}
}
