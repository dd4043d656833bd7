package import CloudModel

/// All that an engine remembers, and that outlives its process.
///
/// It never says more than the app was told: a token moves on after the changes before it were
/// handled, and a change that was sent leaves it after its result was.
package struct SyncState: Sendable {
    /// The user record name of the account that the rest belongs to; nil: nobody's so far.
    package var user: String?
    /// Whether anybody was signed in before, so that what is pending may be somebody else's.
    package var hadUser = false
    /// Up to where the app has been told which zones changed.
    package var token: ChangeToken?
    /// Whether all zones are being listed, from the beginning.
    package var isListedWhole = false
    package var zones: [RecordZone.ID: ZoneState] = [:]
    package var records = PendingList<PendingRecordChange>()
    package var zoneChanges = PendingList<PendingZoneChange>()
    /// Taken out of ``records``, to be sent; pending again after a crash.
    package var recordsInFlight: [PendingRecordChange] = []
    /// Taken out of ``zoneChanges``, to be sent; pending again after a crash.
    package var zonesInFlight: [PendingZoneChange] = []
    /// Whether the app keeps changes that it does not list here.
    package var hasUntracked = false

    package init() {}

    /// Whether there is something to send.
    package var hasPending: Bool { !records.isEmpty || !zoneChanges.isEmpty || hasUntracked }

    /// The records that it names, known or pending.
    var recordCount: Int { zones.values.reduce(records.count) { $0 + $1.known.count } }

    /// The zones with changes that were not fetched, by name.
    package var zonesWithNews: [RecordZone.ID] {
        zones.filter { $0.value.hasNews }.keys.sorted {
            ($0.zoneName, $0.ownerRecordName ?? "") < ($1.zoneName, $1.ownerRecordName ?? "")
        }
    }

    /// Another account, or none: forgets what belonged to the one before.
    ///
    /// What was added before anybody was ever signed in is for whoever signs in first.
    package mutating func change(to user: String?) {
        var next = SyncState()
        next.user = user
        next.hadUser = true
        if !hadUser {
            next.records = records
            next.zoneChanges = zoneChanges
            next.hasUntracked = hasUntracked
        }
        self = next
    }

    // MARK: In flight

    mutating func take(_ changes: [PendingRecordChange]) {
        for change in changes { records.remove(change) }
        recordsInFlight += changes
    }

    mutating func take(_ changes: [PendingZoneChange]) {
        for change in changes { zoneChanges.remove(change) }
        zonesInFlight += changes
    }

    /// What is in flight was not carried out, for all that is known: it is pending again.
    mutating func putBack(_ changes: [PendingRecordChange]) {
        drop(changes)
        records.putBack(changes)
    }

    mutating func putBack(_ changes: [PendingZoneChange]) {
        drop(changes)
        zoneChanges.putBack(changes)
    }

    /// The app knows what became of these.
    mutating func drop(_ changes: [PendingRecordChange]) {
        let gone = Set(changes)
        recordsInFlight.removeAll { gone.contains($0) }
    }

    mutating func drop(_ changes: [PendingZoneChange]) {
        let gone = Set(changes)
        zonesInFlight.removeAll { gone.contains($0) }
    }
}
