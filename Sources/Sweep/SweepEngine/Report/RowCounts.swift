import Journal

/// The numbers of one row, so put together that they always add up:
/// found = deleted + already gone + kept + left + failed.
struct RowCounts: Sendable, Hashable {
    private(set) var found = 0
    private(set) var deleted = 0
    private(set) var alreadyGone = 0
    private(set) var kept = 0
    private(set) var left = 0
    private(set) var failed = 0

    /// What was only looked at.
    static func looked(found: Int, kept: Int) -> RowCounts {
        var counts = RowCounts()
        counts.found = found
        counts.kept = min(kept, found)
        counts.left = found - counts.kept
        return counts
    }

    /// What was planned and carried out.
    ///
    /// - Parameters:
    ///   - kept: What the plan keeps.
    ///   - sum: What became of the planned items.
    ///   - look: What the last pass saw: what is left in all, what of that the plan named, and
    ///     what of the kept is missing; nil: nobody looked.
    static func swept(
        kept: Int, _ sum: ItemCounts,
        look: (left: Int, ofPlan: Int, keptMissing: Int)?
    ) -> RowCounts {
        var counts = RowCounts()
        counts.kept = kept + sum.spared
        counts.deleted = sum.deleted
        counts.alreadyGone = sum.alreadyGone
        counts.failed = sum.failed
        var unsettled = sum.pending + sum.deferred
        if let look {
            // What the plan named and is still there was not deleted, whatever the service said;
            // what failed and is there stays counted as failed.
            var there = min(look.ofPlan, sum.deleted + sum.alreadyGone + sum.failed + unsettled)
            counts.left = look.left - min(look.ofPlan, look.left) + there
            let failedThere = min(there, counts.failed)
            there -= failedThere
            counts.left -= failedThere
            for part in [\RowCounts.deleted, \.alreadyGone] {
                let taken = min(there, counts[keyPath: part])
                counts[keyPath: part] -= taken
                there -= taken
            }
            unsettled -= min(there, unsettled)
            // What was never sent and is not there went by itself.
            counts.alreadyGone += unsettled
            let missing = min(look.keptMissing, counts.kept)
            counts.kept -= missing
            counts.failed += missing
        } else {
            counts.left = unsettled
        }
        counts.found =
            counts.deleted + counts.alreadyGone + counts.kept + counts.left + counts.failed
        return counts
    }
}

extension ItemCounts {
    static func += (left: inout ItemCounts, right: ItemCounts) {
        left.pending += right.pending
        left.deleted += right.deleted
        left.alreadyGone += right.alreadyGone
        left.failed += right.failed
        left.deferred += right.deferred
        left.spared += right.spared
    }
}
