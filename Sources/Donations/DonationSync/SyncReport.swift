package import Basics
package import CloudModel

/// What a sync saw and did, in numbers that can be added up.
package struct SyncReport: Sendable, Hashable {
    /// Records that arrived in a fenced zone.
    package struct Resurrection: Sendable, Hashable {
        package var records: Int64 = 0
        /// The devices that wrote them, at most ``devicesMax``.
        package var devices: Set<String> = []
        package var first: Timestamp
        package var last: Timestamp
        /// More devices are counted in ``records`` only.
        package static let devicesMax = 16

        /// Nothing yet, from a moment on.
        package init(first: Timestamp) {
            self.first = first
            last = first
        }
    }

    /// Why local donations went.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Their record was deleted.
        case recordDeleted
        /// Their record is missing in a complete scan.
        case swept
        /// Their zone is gone.
        case zoneGone
        /// The user signed out, or another one signed in.
        case accountLeft
        /// They were linked to a zone that was erased on purpose.
        case fenced
        /// A deletion of another device covers them.
        case remoteDeletion
        /// Their synced record is gone.
        case recordVanished
    }

    /// Requests answered, with success or not.
    package var requests: Int64 = 0
    package var recordsSeen: Int64 = 0
    package var deletionsSeen: Int64 = 0
    /// Local rows that went, by cause.
    package var removed: [Cause: Int64] = [:]
    /// Zones found gone, by reason.
    package var zonesGone: [SyncGoneReason: Int64] = [:]
    /// Zones not found although no feed says they are gone.
    package var zonesUnclear: Int64 = 0
    /// Scans that were begun because a token was refused.
    package var rescans: Int64 = 0
    /// Records in fenced zones.
    package var resurrected: [RecordZone.ID: Resurrection] = [:]
    package var uploaded: Int64 = 0
    package var downloaded: Int64 = 0
    package var deletionsSent: Int64 = 0
    package var deletionsReceived: Int64 = 0
    /// Rows that were not sent, or not taken (R11).
    package var refused: Int64 = 0
    /// The same, by reason.
    package var refusals: [SyncRefusal: Int64] = [:]
    /// Activities that wait for their item (R15).
    package var parked: Int64 = 0
    /// Changes put into the rescue log.
    package var rescued: Int64 = 0
    package var waits: Int64 = 0

    /// Nothing.
    package init() {}

    /// Whether nothing at all was counted.
    package var isEmpty: Bool { self == SyncReport() }

    /// Counts removed rows.
    package mutating func remove(_ rows: Int, _ cause: Cause) {
        if rows > 0 { removed[cause, default: 0] += Int64(rows) }
    }

    /// Counts a record that arrived in a fenced zone.
    package mutating func resurrect(_ stamp: Record.Stamp, in zone: RecordZone.ID) {
        var entry = resurrected[zone] ?? Resurrection(first: stamp.timestamp)
        entry.records += 1
        entry.first = min(entry.first, stamp.timestamp)
        entry.last = max(entry.last, stamp.timestamp)
        if entry.devices.count < Resurrection.devicesMax { entry.devices.insert(stamp.deviceID) }
        resurrected[zone] = entry
    }

    /// Counts a row that was not sent or not taken.
    package mutating func refuse(_ reason: SyncRefusal) {
        refused += 1
        refusals[reason, default: 0] += 1
    }

    private static let counters: [any WritableKeyPath<SyncReport, Int64> & Sendable] = [
        \.requests, \.recordsSeen, \.deletionsSeen, \.zonesUnclear, \.rescans, \.uploaded,
        \.downloaded, \.deletionsSent, \.deletionsReceived, \.refused, \.parked, \.rescued, \.waits,
    ]

    /// Adds another report's numbers.
    package mutating func add(_ other: SyncReport) {
        for counter in Self.counters { self[keyPath: counter] += other[keyPath: counter] }
        removed.merge(other.removed, uniquingKeysWith: +)
        zonesGone.merge(other.zonesGone, uniquingKeysWith: +)
        refusals.merge(other.refusals, uniquingKeysWith: +)
        resurrected.merge(other.resurrected) { old, new in
            var sum = old
            sum.records += new.records
            sum.devices = Set(
                old.devices.union(new.devices).sorted().prefix(Resurrection.devicesMax))
            sum.first = min(old.first, new.first)
            sum.last = max(old.last, new.last)
            return sum
        }
    }
}
