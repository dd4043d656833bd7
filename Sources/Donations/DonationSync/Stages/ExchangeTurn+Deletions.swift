import Donations

/// The deletions that this device knows: which are in the zone, which were collected, and what
/// they take away.
extension ExchangeTurn {
    /// Takes deletions of a page; each new one is applied to all rows once.
    mutating func takeDeletions(_ arrived: [SyncDeletion]) throws(Storage.Failure) {
        guard !arrived.isEmpty else { return }
        var known: [String: SyncDeletion] = [:]
        for deletion in try storage.deletions() { known[deletion.recordName] = deletion }
        var fresh: [SyncDeletion] = []
        for var deletion in arrived.sorted(by: { $0.sequence < $1.sequence }) {
            deletion.generation = facts.generation
            if deletion.device == facts.device {
                if try takeOwn(deletion, known[deletion.recordName]) { continue }
            }
            let isKnown = known.updateValue(deletion, forKey: deletion.recordName) != nil
            try storage.putDeletion(deletion)
            if isKnown { continue }
            let isOld = deletion.sequence <= facts.context.number(of: deletion.device)
            if !isOld { fresh.append(deletion) }
        }
        facts.context.close(with: known.values)
        guard !fresh.isEmpty else { return }
        report.deletionsReceived += Int64(fresh.count)
        try prune(fresh)
    }

    /// A deletion under this device's name. False: it is of a former life of this device, which
    /// has another name now (R9).
    private mutating func takeOwn(
        _ deletion: SyncDeletion, _ known: SyncDeletion?
    ) throws(Storage.Failure) -> Bool {
        let isCollected = deletion.sequence <= facts.base.number(of: deletion.device)
        if known?.isSame(as: deletion) ?? isCollected {
            try storage.putDeletion(deletion)
            return true
        }
        if known == nil, deletion.sequence <= facts.sequence,
            let own = try storage.ownDeletions(limit: .max).first(where: {
                $0.sequence == deletion.sequence
            }), let sent = SyncDeletion(own, device: deletion.device, keys),
            sent.isSame(as: deletion)
        {
            // Sent, and the answer was lost.
            try markSent(deletion)
            return true
        }
        try rename()
        return false
    }

    /// A deletion is in the zone.
    mutating func markSent(_ deletion: SyncDeletion) throws(Storage.Failure) {
        var deletion = deletion
        deletion.generation = facts.generation
        try storage.putDeletion(deletion)
        guard deletion.device == facts.device else { return }
        try storage.removeOwnDeletion(deletion.sequence)
        report.deletionsSent += 1
        // One before it may still wait: the context never runs ahead of what is in the zone.
        guard deletion.sequence == facts.context.number(of: deletion.device) + 1 else { return }
        facts.context[deletion.device] = deletion.sequence
    }

    /// Deletions that were sent before one that had to wait count once that one is in the zone too.
    mutating func closeGaps(_ asked: [SyncDeletion]) throws(Storage.Failure) {
        guard let device = facts.device,
            asked.contains(where: {
                $0.device == device && $0.sequence > facts.context.number(of: device)
            })
        else { return }
        facts.context.close(with: try storage.deletions().filter { $0.device == device })
    }

    /// Applies new deletions to all rows.
    private mutating func prune(_ deletions: [SyncDeletion]) throws(Storage.Failure) {
        let knowledge = ExchangeKnowledge(deletions, own: [], keys)
        var gone: [RowID] = []
        try forEachRow { (turn, row) throws(Storage.Failure) in
            let item = try turn.item(of: row.donation)
            if knowledge.covers(row.donation, seen: row.context, item: item) {
                if let name = row.recordName {
                    let record = GoneRecord(name, tag: row.tag, isToDelete: true)
                    try turn.storage.putGone([record])
                }
                gone.append(row.id)
            } else if knowledge.scrubs(row.donation, seen: row.context) {
                var row = row
                row.donation.nestedActivity = nil
                row.edits += row.recordName == nil ? 0 : 1
                row.isRefused = false
                try turn.storage.putRow(row)
            }
        }
        try storage.removeRows(gone)
        report.remove(gone.count, .remoteDeletion)
    }

    // MARK: Collected deletions

    /// The feed says that records of deletions are gone: collected, or else sent again, because
    /// nobody may collect them yet.
    mutating func takeGoneDeletions(_ names: Set<String>) throws(Storage.Failure) {
        guard !names.isEmpty else { return }
        var collected: Set<String> = []
        for var deletion in try storage.deletions()
        where !deletion.isCollected && names.contains(deletion.recordName) {
            if deletion.sequence <= facts.base.number(of: deletion.device) {
                collected.insert(deletion.recordName)
            } else {
                deletion.generation = 0
                try storage.putDeletion(deletion)
            }
        }
        try rememberCollected(collected)
    }

    /// Deletions whose records are gone for good: they are remembered for a while, because somebody
    /// may save again what they covered.
    mutating func rememberCollected(_ collected: Set<String>) throws(Storage.Failure) {
        var remembered: [SyncDeletion] = []
        for var deletion in try storage.deletions() {
            if !deletion.isCollected, collected.contains(deletion.recordName) {
                deletion.generation = SyncDeletion.collected
                try storage.putDeletion(deletion)
            }
            if deletion.isCollected { remembered.append(deletion) }
        }
        guard remembered.count > settings.deletionsRemembered else { return }
        remembered.sort { ($0.at, $0.recordName) < ($1.at, $1.recordName) }
        for deletion in remembered.dropLast(settings.deletionsRemembered) {
            try storage.removeDeletion(of: deletion.device, sequence: deletion.sequence)
        }
    }
}
