/// What can go wrong in a simulated run.
enum Fault: Int, CaseIterable {
    // On the way.
    case cutBeforeCommit, cutAfterCommit, duplicate, lateDuplicate
    // At the service.
    case throttled, busy, serverError, tokenRotated, itemErrors
    // In the feeds.
    case staleZoneList, zoneVanishes, emptyPage, repeatedPage, zoneTokenExpired,
        databaseTokenExpired
    case compaction, serverRestored
    // At a device.
    case crashBeforeCommit, crashAfterCommit, restoredBackup, clockJump
}

/// Which faults a run has, and how often: each is on with probability one half, at a rate drawn
/// log-uniformly, because a world that is hostile everywhere explores less.
struct FaultMix {
    private var rates: [Double]

    static let none = FaultMix(rates: Array(repeating: 0, count: Fault.allCases.count))

    static func drawn(from random: inout SimRandom) -> FaultMix {
        var mix = none
        for fault in Fault.allCases {
            let isOn = random.chance(0.5)
            let rate = random.logUniform(1e-4, 1e-1)
            if isOn { mix[fault] = rate }
        }
        return mix
    }

    subscript(fault: Fault) -> Double {
        get { rates[fault.rawValue] }
        set { rates[fault.rawValue] = newValue }
    }

    /// Whether a fault strikes now. Draws nothing when the fault is off.
    func strikes(_ fault: Fault, _ random: inout SimRandom) -> Bool {
        random.chance(rates[fault.rawValue])
    }
}
