/// How many records a plan would take, those inside of zones included, and how many would stay.
///
/// What lies in zones of others is not in it, unless it is deleted by name: it stays with its owner.
package struct RecordCensus: Sendable, Hashable {
    /// Records that would go: by name, or with their zone.
    package var going = 0
    /// Those of them that would go with their zone.
    package var goingInZones = 0
    /// Records that were seen and would stay.
    package var staying = 0
    /// Zones that would go, and whose records nobody counted.
    package var uncountedGoing = 0
    /// Zones that would stay, and whose records nobody counted.
    package var uncountedStaying = 0

    package init() {}

    /// Takes in something that was seen.
    mutating func note(_ seen: Observation, goes: Bool) {
        switch seen.subject {
        case .record: add(1, goes)
        // Its records are observed one by one.
        case .zone(_, .holdsKept): return
        case .zone where seen.scope == .shared: return
        case .zone:
            if let records = seen.records {
                add(records, goes)
                if goes { goingInZones += records }
            } else if goes {
                uncountedGoing += 1
            } else {
                uncountedStaying += 1
            }
        case .defaultZone, .subscription, .userRecord: return
        }
    }

    private mutating func add(_ records: Int, _ goes: Bool) {
        if goes { going += records } else { staying += records }
    }

    /// The records that would go with their zones; nil: those of some zone were not counted.
    package var recordsInZones: Int? { uncountedGoing == 0 ? goingInZones : nil }

    /// Whether more than `percent` of the records that were seen would go. Where none was seen,
    /// none would.
    func isMore(than percent: Int) -> Bool { going * 100 > percent * (going + staying) }
}
