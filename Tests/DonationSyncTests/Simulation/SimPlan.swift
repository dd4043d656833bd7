import CloudModel
import DonationSync
import MockServer

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

    /// Whose devices these are.
    enum Engine {
        case ours, naive
    }

    var seed: UInt64
    var engine = Engine.ours
    /// Whether our devices keep everything in donation stores, and not in memory.
    var isStored = false
    var hasBystanders: Bool
    /// Whether the user surely wants a lost donation zone again.
    var alwaysEnables = false
    var theme: Theme
    var devices: Int
    var steps: Int
    var mix: FaultMix
    var options = MockOptions()
    var opponents: [Opponent] = []
    var rules = SyncRules.standard
    /// How often a step is an act of a user or app, and not of a sync.
    var actRate: Double
    /// Records in a page the machine asks for.
    var pageLimit: Int?
    /// Whether items of the search index are synced as well.
    var syncsItems: Bool
    /// How many confirmed deletions are kept before they are collected.
    var deletionsKept: Int
    /// The one call of a sync at which its program dies.
    var crash: (call: Int, how: SimCrash)?
    /// The one request at which the service dies and begins anew, and whether it had stored it.
    var serviceCrash: (request: Int, isCommitted: Bool)?
    /// What else is broken on purpose.
    var defects: Set<Defect> = []

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
        pageLimit = random.pick([nil, nil, 1, 3])
        hasBystanders = random.chance(0.25)
        syncsItems = random.chance(0.7)
        deletionsKept = theme == .collection ? 0 : random.pick([0, 2, 64])
        if theme == .opponents { opponents = [random.pick(Opponent.allCases)] }
        if theme == .tokens {
            mix[.zoneTokenExpired] = max(mix[.zoneTokenExpired], 0.05)
            mix[.compaction] = max(mix[.compaction], 0.02)
        }
        if theme == .rollBacks { mix[.restoredBackup] = max(mix[.restoredBackup], 0.03) }
    }
}
