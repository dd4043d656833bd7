import DonationSync
import MockStore

/// What a run is to be like: drawn from its seed before the first step.
struct SimPlan {
    /// What a run is mostly about, so that rare things meet often enough.
    enum Theme: Int, CaseIterable {
        case ordinary, sameThings, rollBacks, lostZones, collection, content, fences, expiry
        case opponents, tokens, accounts
    }

    /// Others who write to the user's database, as real sync engines do.
    enum Opponent: Int, CaseIterable {
        /// Uploads records again that were deleted.
        case reuploader
        /// Creates zones that are gone, and fills them with what it had.
        case recreator
        /// Comes back from an old backup and saves what it had over what there is.
        case revenant
    }

    /// Which devices have the storage that is shipped.
    enum Stores {
        case none, one, all
    }

    /// Whose devices these are.
    enum Engine {
        case ours, naive
    }

    var seed: UInt64
    var engine = Engine.ours
    /// Which of our devices keep everything in a donation store, and not in memory.
    var stores = Stores.none
    var hasBystanders: Bool
    /// Whether the user surely wants a lost donation zone again.
    var alwaysEnables = false
    var theme: Theme
    var devices: Int
    var steps: Int
    var mix: FaultMix
    var options = MockOptions()
    var opponents: [Opponent] = []
    /// How often a step is an act of a user or app, and not of a sync.
    var actRate: Double
    /// Whether items of the search index are synced as well.
    var syncsItems: Bool
    /// How many confirmed deletions are kept before they are collected.
    var deletionsKept: Int
    /// How many rows and names a device looks at in one transaction.
    var sweepLimit: Int
    /// The one call of a sync at which its program dies.
    var crash: (call: Int, how: SimCrash)?
    /// The one request at which the service dies and begins anew, and whether it had stored it.
    var serviceCrash: (request: Int, isCommitted: Bool)?
    /// What else is broken on purpose.
    var defects: Set<Defect> = []

    /// Whether a device keeps everything in a donation store.
    func hasStore(_ device: Int) -> Bool {
        switch stores {
        case .none: false
        case .one: device == Int(seed / UInt64(Theme.allCases.count) % UInt64(devices))
        case .all: true
        }
    }

    init(seed: UInt64) {
        var random = SimRandom(seed: seed)
        self.seed = seed
        theme = Theme.allCases[Int(seed % UInt64(Theme.allCases.count))]
        devices = random.pick([2, 2, 3, 3, 4])
        steps = random.within(80...220)
        mix = .drawn(from: &random)
        actRate = random.pick([0.08, 0.15, 0.25])
        options.recordsPageMax = random.pick([1, 2, 5, 200, 200])
        options.emptyPages = random.pick([0, 0, 0, 1, 2])
        options.initialScan = random.pick([.history, .live])
        options.typeFilterLeaks = random.chance(0.5)
        options.databaseTokenJitter = random.chance(0.5)
        options.zoneListLag = random.pick([0, 0, 1, 2])
        options.zoneChangesPageMax = random.pick([1, 200])
        options.recordsPageMax = min(options.recordsPageMax, random.pick([200, 200, 1, 3]))
        hasBystanders = random.chance(0.25)
        syncsItems = random.chance(0.7)
        deletionsKept = theme == .collection ? 0 : random.pick([0, 2, 64])
        if theme == .opponents { opponents = [random.pick(Opponent.allCases)] }
        if theme == .tokens {
            mix[.zoneTokenExpired] = max(mix[.zoneTokenExpired], 0.05)
            mix[.compaction] = max(mix[.compaction], 0.02)
        }
        sweepLimit = random.pick([1, 3, 2000])
        options.operationsMax = random.pick([1, 5, 200, 200])
        if theme == .rollBacks { mix[.restoredBackup] = max(mix[.restoredBackup], 0.03) }
    }
}
