import CloudModel

/// What one call of the exchange works with; the facts are stored when it ends.
struct ExchangeTurn {
    var facts: ExchangeFacts
    var entropy: SyncEntropy
    let now: Timestamp
    var report: SyncReport
}

/// What a round has done and found so far.
struct ExchangeRound {
    /// Whether the feed is to be read before anything is written.
    var mustRead = false
    /// Whether the feed is to be read again before rows are uploaded.
    var mustReadBeforeUpload = false
    /// Whether the feed is to be read once more after rows were written.
    var mustReadAfter = false
    /// Whether the zone's record is to be looked at before the feed.
    var mustLookUpZone = false
    /// Whether the rows that are to be sent have got the names of their records.
    var hasNamedRows = false
    /// How often a record was in conflict.
    private var conflicts: [String: Int] = [:]
    /// Deletions that were in conflict too often, by record: they are left for another round.
    private(set) var held: Set<String> = []
    /// How many answers brought this round no further.
    var setbacks = 0
    /// Rows that are left for another round.
    var postponed: Set<RowID> = []
    /// Rows to be sent without a reference to their item.
    var unreferenced: Set<RowID> = []
    /// Records whose server copy is to be looked at.
    var doubted: [String] = []
    /// Deletions whose server copy is to be looked at.
    var doubtedDeletions: [SyncDeletion] = []
    /// How many operations go into a batch.
    var batch = 200
    /// Confirmations that were refused.
    var refusedConfirmations = 0
    /// Whether the collection was given up for this round.
    var collects = true

    /// How often one record may be in conflict in a round before it waits for the next.
    private static let conflictsMax = 5
    /// How many answers may bring a round no further before it waits: what a service contradicts
    /// itself about is not asked for ever.
    private static let setbacksMax = 50

    /// Whether the round is to wait rather than ask on.
    var isStuck: Bool { setbacks > Self.setbacksMax }

    /// Notes a conflict about a record; false when it has to be left for another round.
    mutating func mayTryAgain(_ name: String) -> Bool {
        conflicts[name, default: 0] += 1
        guard conflicts[name, default: 0] > Self.conflictsMax else { return true }
        held.insert(name)
        return false
    }

    /// Begins the round anew, in another zone or another life of this device; the answers that
    /// brought it no further stay counted.
    mutating func restart() {
        let setbacks = setbacks + 1
        self = ExchangeRound()
        self.setbacks = setbacks
    }

    /// Makes the next batches smaller; false when they cannot be.
    mutating func shrink(_ count: Int) -> Bool {
        guard count > 1 else { return false }
        batch = max(1, count / 2)
        return true
    }

    /// Lets batches grow again after a success.
    mutating func grow() { batch = min(200, batch + max(1, batch / 10)) }
}

/// What the exchange has asked for.
enum ExchangeRequest: Sendable {
    struct Upload: Sendable {
        let id: RowID
        let name: String
        let edits: Int64
        let isCreate: Bool
    }
    case lookUpZone
    case createZone
    case createZoneRecord(ExchangeZoneRecord)
    case feed(isFirst: Bool)
    case pushDeletions([SyncDeletion])
    case lookUpDeletions([SyncDeletion])
    case deleteRecords([GoneRecord])
    case upload([Upload])
    case lookUpRows([String])
    case confirm(DeletionContext)
    case dropDevices([String])
    case raiseBase(ExchangeZoneRecord)
    case collect([SyncDeletion])
}

extension ExchangeFacts {
    /// Begins to read the feed from its beginning.
    mutating func beginScan() {
        token = nil
        repeats = 0
        generation += 1
        isScanning = true
        devices = []
        isRegistered = false
        zoneTag = nil
    }

    /// Takes notice of the service's clock.
    mutating func note(_ time: Timestamp) {
        serverTime = max(serverTime ?? time, time)
    }
}
