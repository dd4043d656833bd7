package import Basics
package import CloudModel

/// What this device knows of the donation zone and of itself in it. Small: stored as one value, see
/// ``encoded``.
package struct ExchangeFacts: Sendable, Hashable {
    /// Whether the user lets this app's donations be uploaded and taken.
    package var isOn = false
    /// Whether items of the search index are synced as well.
    package var includesItems = false
    /// This device's name in the zone; nil until it has joined one.
    package var device: String?
    /// What names of rows are made from; unlike ``device`` it lasts through a roll-back.
    package var origin: String?
    /// The number of its latest deletion.
    package var sequence: Int64 = 0
    /// The rounds it confirmed.
    package var round: Int64 = 0
    /// The zone's nonce (R8); nil: this device has joined no zone.
    package var incarnation: String?
    /// The key of all digests of this zone.
    package var zoneKey: [UInt8]?
    /// What this device has seen of others' deletions, and of its own what is in the zone; without
    /// gaps.
    package var context: DeletionContext = [:]
    /// What was collected (R7).
    package var base: DeletionContext = [:]
    /// Whether the zone's record says that less was collected: the service lost it.
    package var zoneLacksBase = false
    /// The context of the latest confirmation that arrived.
    package var confirmed: DeletionContext = [:]
    /// Whether a confirmation ever arrived.
    package var isRegistered = false
    /// The tag of the zone's record; nil: it was deleted, or a reading from the beginning has not
    /// come to it.
    package var zoneTag: String?
    /// Where the zone's feed was read to.
    package var token: ChangeToken?
    /// Counts the readings of the feed from its beginning.
    package var generation: Int64 = 1
    /// Whether the feed is being read from its beginning.
    package var isScanning = true
    /// The devices registered in the zone, this one too.
    package var devices: [SyncDevice] = []
    /// The latest moment the service wrote on a record of the exchange: its own clock.
    package var serverTime: Timestamp?
    /// Which generation looked through all records before the next collection; 0: none.
    package var checkedGeneration: Int64 = 0

    /// A device that knows nothing yet.
    package init() {}

    /// Whether the zone has not got what this device has seen.
    var needsConfirmation: Bool { !isRegistered || confirmed != context }

    /// Begins to read the feed from its beginning.
    mutating func beginScan() {
        token = nil
        generation += 1
        isScanning = true
        devices = []
        isRegistered = false
        zoneTag = nil
    }

    /// Takes notice of the service's clock.
    mutating func note(_ time: Timestamp) { serverTime = max(serverTime ?? time, time) }

    /// The feed says that a record of the exchange is gone.
    mutating func forget(_ recordName: String) {
        if recordName == ExchangeNames.zone {
            zoneTag = nil
        } else if let name = ExchangeNames.device(named: recordName) {
            devices.removeAll { $0.name == name }
            if name == device { isRegistered = false }
        }
    }
}

/// A device registered in the donation zone.
package struct SyncDevice: Sendable, Hashable {
    package var name: String
    /// The deletions it has confirmed.
    package var context: DeletionContext
    package var round: Int64
    /// Its record's tag.
    package var tag: String
    /// When its record was last written, by the service's clock.
    package var seenAt: Timestamp

    /// A registered device.
    package init(
        name: String, context: DeletionContext, round: Int64, tag: String, seenAt: Timestamp
    ) {
        self.name = name
        self.context = context
        self.round = round
        self.tag = tag
        self.seenAt = seenAt
    }
}
