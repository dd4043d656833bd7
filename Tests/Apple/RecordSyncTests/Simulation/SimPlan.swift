/// What can go wrong in a simulated run.
enum Fault: Int, CaseIterable {
    /// The request or the answer is lost; a lost request may arrive later.
    case cutBefore, cutAfter
    case throttled, zoneBusy, itemTransient, itemLasting
    case zoneTokenExpired, databaseTokenExpired, compaction, shortList
    case zoneDeleted, zonePurged
    case signOut, switchAccounts
    case crash, rollBack, cancel
}

/// A world: its size, and which faults it has how often. Each is on with probability one half.
struct SimPlan {
    let seed: UInt64
    var random: SimRandom
    var devices = 2
    var steps = 120
    /// How likely a step is an edit of somebody's.
    var editRate = 0.25
    /// How many records an edit adds at once.
    var bulk = 1
    /// What the server takes in one request.
    var serverMax = 200
    var isAutomatic = true
    var isAtomic = false
    var rates = Array(repeating: 0.0, count: Fault.allCases.count)

    init(seed: UInt64) {
        self.seed = seed
        random = SimRandom(seed: seed)
        devices = 2 + random.below(2)
        isAutomatic = !random.chance(0.25)
        isAtomic = random.chance(0.25)
        if random.chance(0.2) { serverMax = 1 + random.below(3) }
        if random.chance(0.004) {
            // More than a request takes, of records and of zones.
            bulk = 450
            (steps, editRate, serverMax, isAtomic) = (20, 0.1, 200, false)
        }
        for fault in Fault.allCases where random.chance(0.5) {
            rates[fault.rawValue] = random.pick([0.01, 0.03, 0.1])
        }
        // A state older than the app's data knows nothing of what the app got since: where
        // its tokens hold, it gets that again, and where they do not, nobody could tell.
        guard self[.crash] > 0 else { return }
        if random.chance(0.5) {
            rates[Fault.crash.rawValue] = 0
        } else {
            let lasting: [Fault] = [
                .zoneDeleted, .zonePurged, .compaction, .zoneTokenExpired, .databaseTokenExpired,
            ]
            for fault in lasting { rates[fault.rawValue] = 0 }
        }
    }

    subscript(fault: Fault) -> Double { rates[fault.rawValue] }
}
