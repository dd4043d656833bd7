import CloudModel
import Donations

extension Exchange {
    /// The digests of the zone.
    func keys(_ turn: ExchangeTurn) -> ExchangeKeys {
        ExchangeKeys(key: turn.facts.zoneKey ?? [], digest: digest)
    }

    /// All deletions known, own unsent ones too.
    func knowledge<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeKnowledge {
        ExchangeKnowledge(
            try storage.deletions(), own: try storage.ownDeletions(limit: .max),
            keys(turn), rules)
    }

    /// The item that an activity is strongly related to, when it is here.
    func item<Storage: SyncStorage>(
        of row: Donation, _ storage: Storage
    ) throws(Storage.Failure) -> Donation? {
        guard row.kind.isActivity, let name = row.relatedIdentifier else { return nil }
        return try storage.item(name)
    }

    /// Deletions that the zone has not got: own new ones, and those that vanished from it before
    /// all devices had confirmed them. At most `limit`.
    func unsentDeletions<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn, limit: Int
    ) throws(Storage.Failure) -> [SyncDeletion] {
        guard let device = turn.facts.device, turn.facts.incarnation != nil else { return [] }
        let keys = keys(turn)
        let own = try storage.ownDeletions(limit: limit + round.held.count).compactMap {
            SyncDeletion($0, device: device, keys)
        }.filter { !round.held.contains($0.recordName) }.prefix(limit)
        guard own.count < limit, !turn.facts.isScanning, rules.keepsDeletions else {
            return Array(own)
        }
        let lost = try storage.deletions().filter {
            $0.generation < turn.facts.generation
                && $0.sequence > turn.facts.base.number(of: $0.device)
                && !round.held.contains($0.recordName)
        }
        return Array(own) + lost.prefix(limit - own.count)
    }

    /// The next rows to upload, those left for another round not among them.
    func uploads<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn, limit: Int
    ) throws(Storage.Failure) -> [SyncedRow] {
        guard turn.facts.isOn else { return [] }
        var found: [SyncedRow] = []
        var last: RowID?
        while found.count < limit {
            let rows = try storage.rowsToUpload(
                after: last, includingItems: turn.facts.includesItems, limit: limit)
            found += rows.filter { !round.postponed.contains($0.id) }
            guard rows.count == limit, let end = rows.last else { break }
            last = end.id
        }
        return Array(found.prefix(limit))
    }
}
