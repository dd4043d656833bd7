package import CloudModel

/// Records that the app wants sent together.
package struct SyncBatch: Sendable, Hashable {
    package var saves: [Record.ID]
    package var deletes: [Record.ID]
    /// Whether all or none of each zone are stored.
    package var isAtomic: Bool

    package init(saves: [Record.ID], deletes: [Record.ID], isAtomic: Bool = false) {
        self.saves = saves
        self.deletes = deletes
        self.isAtomic = isAtomic
    }

    package var changes: [PendingRecordChange] {
        saves.map { .save($0) } + deletes.map { .delete($0) }
    }
}

/// What goes in one request of a batch.
package struct BatchPart: Sendable, Hashable {
    /// Positions in the batch's changes, its saves before its deletions.
    package var positions: [Int]
    package var changes: [PendingRecordChange]
    package var isAtomic: Bool

    /// The records of one request of the web services.
    package static let itemsMax = 200

    /// A batch in as many requests as it takes.
    ///
    /// An atomic batch is cut between zones only. More records of one zone than a request takes
    /// stay together: the driver knows how to send them.
    static func parts(of batch: SyncBatch) -> [BatchPart] {
        let changes = batch.changes
        return cut(
            BatchPart(
                positions: Array(changes.indices), changes: changes, isAtomic: batch.isAtomic),
            to: itemsMax)
    }

    /// The part in two that are half as large; nil when it is as small as it gets.
    var halves: [BatchPart]? {
        let parts = Self.cut(self, to: max(1, changes.count / 2))
        return parts.count > 1 ? parts : nil
    }

    private static func cut(_ whole: BatchPart, to countMax: Int) -> [BatchPart] {
        // What has to stay together: single records, or all of one zone.
        var groups: [[Int]] = []
        if whole.isAtomic {
            var places: [RecordZone.ID: Int] = [:]
            for (index, change) in whole.changes.enumerated() {
                if let place = places[change.id.zoneID] {
                    groups[place].append(index)
                } else {
                    places[change.id.zoneID] = groups.count
                    groups.append([index])
                }
            }
        } else {
            groups = whole.changes.indices.map { [$0] }
        }
        var parts: [[Int]] = []
        for group in groups {
            if let last = parts.last, last.count + group.count <= countMax {
                parts[parts.count - 1] += group
            } else {
                parts.append(group)
            }
        }
        return parts.map { indices in
            BatchPart(
                positions: indices.map { whole.positions[$0] },
                changes: indices.map { whole.changes[$0] }, isAtomic: whole.isAtomic)
        }
    }
}
