import Donations

/// What a run came to, counted in the same way for every engine.
struct SimScore {
    var seeds = 0
    /// Runs at whose end something is there that was deleted on all devices, or erased with its
    /// zone.
    var withDataBack = 0
    /// Runs at whose end something is missing that nobody deleted.
    var withDataLost = 0
    /// Runs that did not come to rest, or came to rest with devices that differ.
    var notConverged = 0

    mutating func add(_ simulation: Simulation, cameToRest: Bool) throws {
        seeds += 1
        let rows = try simulation.devices.map { Set(try $0.rows().map(\.tag)) }
        let evicted = simulation.devices.reduce(into: Set<Int>()) { $0.formUnion($1.evicted) }
        let all = rows.reduce(into: Set<Int>()) { $0.formUnion($1) }
        if all.contains(where: simulation.mustBeGone) { withDataBack += 1 }
        if simulation.mustBeThere.contains(where: { tag in
            rows.contains { !$0.contains(tag) }
        }) {
            withDataLost += 1
        }
        let shared = rows.map { $0.subtracting(evicted) }
        if !cameToRest || Set(shared).count > 1 { notConverged += 1 }
    }
}

extension Simulation {
    /// Deletions that must hold on all devices: those in the zone as it is now, and those that
    /// their makers can only have sent there, since they neither lost them with an older zone (5.5)
    /// nor with a backup.
    private var owed: ErasureSet {
        var set = truth.reached(serverNonce)
        for (index, erasure) in truth.erasures.enumerated()
        where !rolledBack.contains(erasure.device) && erasure.step > latestLoss
            && !(erasure.nonce.map(lostNonces.contains) ?? false)
        {
            set |= 1 << ErasureSet(index)
        }
        return set
    }

    /// Whether a row is deleted, or of a zone that is lost.
    func mustBeGone(_ tag: Int) -> Bool {
        truth.made[tag].covering & owed != 0 || isOfLostZone(tag)
    }

    /// What nobody deleted, replaced or lost with a zone or a backup.
    var mustBeThere: [Int] {
        var count: [SimThing: Int] = [:]
        for (tag, made) in truth.made.enumerated() {
            count[SimThing(made.row, tag), default: 0] += 1
        }
        let ends = truth.endsByItself
        return truth.made.indices.filter { tag in
            let made = truth.made[tag]
            return made.perhaps == 0 && !made.isUnsure && !ends(made.row)
                && made.step > latestLoss && count[SimThing(made.row, tag)] == 1
                && (plan.syncsItems || made.row.kind != .searchableItem)
        }
    }
}
