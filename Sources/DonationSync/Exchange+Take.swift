import CloudModel
import Donations

extension Exchange {
    /// A record of a donation arrives, by the feed or because it was looked up.
    mutating func take<Storage: SyncStorage>(
        _ record: Record, _ knowledge: ExchangeKnowledge, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        let name = record.id.recordName
        let known = try row(of: record, &storage, turn)
        if var known, known.tag == record.recordChangeTag {
            guard known.generation < turn.facts.generation else { return }
            known.generation = turn.facts.generation
            return try storage.setRecord(known)
        }
        // What was on its way while the zone was lost and begun anew is not for this one (R8).
        if case .string(let mark)? = record.fields["zoneMark"]?.value,
            mark != keys(turn)(.incarnation), rules.dropsOldIncarnation
        {
            turn.report.refuse(.otherIncarnation)
            return try refuse(record, known, &storage)
        }
        let row: ExchangeRow
        do throws(SyncRefusal) {
            guard ExchangeNames.isRow(name) else { throw .unreadable }
            row = try ExchangeRow(record)
            if let expected = row.name(keys(turn)), expected != name { throw .unreadable }
        } catch {
            return turn.report.refuse(error)
        }
        let item = try item(of: row.donation, storage)
        let isCovered = knowledge.covers(row.donation, seen: row.context, item: item)
        if try staysGone(record, row, isCovered, known, &storage, &turn) { return }
        if isCovered {
            turn.report.refuse(.covered)
            return try refuse(record, known, &storage)
        }
        if let link = row.donation.link, try storage.refusesLink(link) {
            turn.report.refuse(.refusedLink)
            return try refuse(record, known, &storage)
        }
        let isWanted = row.donation.kind != .searchableItem || turn.facts.includesItems
        guard turn.facts.isOn, isWanted else { return }
        var arrived = SyncedRow(
            row.donation, recordName: name, tag: record.recordChangeTag, device: row.device,
            generation: turn.facts.generation)
        arrived.context = row.context.beyond(turn.facts.context)
        if knowledge.scrubs(row.donation, seen: row.context) {
            arrived.donation.nestedActivity = nil
            arrived.edits = 1
        }
        if row.donation.kind.isActivity {
            arrived.donation.savedKey = try savedKey(row, name, storage)
            // R15: out of sight until the item is here.
            arrived.isParked = row.donation.relatedIdentifier != nil && item == nil
        }
        let like = if let known { known } else { try storage.row(like: arrived.donation) }
        try merge(arrived, into: like, &storage, &turn)
    }

    /// The row of a record.
    private mutating func row<Storage: SyncStorage>(
        of record: Record, _ storage: inout Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> SyncedRow? {
        if let known = try storage.row(named: record.id.recordName) { return known }
        guard !round.hasNamedRows else { return nil }
        round.hasNamedRows = true
        try nameRows(&storage, turn)
        return try storage.row(named: record.id.recordName)
    }

    /// Names the records of all rows that are to be sent: a device that came back from a backup has
    /// sent some of them already, and events are known by nothing but these names.
    private func nameRows<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) {
        let keys = keys(turn)
        var last: RowID?
        while true {
            let rows = try storage.rowsToUpload(after: last, includingItems: false, limit: 500)
            for var row in rows where row.recordName == nil && row.donation.kind.isActivity {
                row.recordName = carried(row, keys, turn).name
                try storage.setRecord(row)
            }
            guard rows.count == 500, let end = rows.last else { return }
            last = end.id
        }
    }

    /// Whether a record is one whose row went from here, in the version that it went in. What the
    /// app made in its place since is written into it.
    private func staysGone<Storage: SyncStorage>(
        _ record: Record, _ row: ExchangeRow, _ isCovered: Bool, _ known: SyncedRow?,
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> Bool {
        guard var gone = try storage.gone(record.id.recordName) else { return false }
        let isVersion =
            gone.tag.map { $0 == record.recordChangeTag } ?? (row.device == turn.facts.device)
        guard isVersion else {
            try storage.removeGone([gone.recordName])
            return false
        }
        gone.tag = record.recordChangeTag
        gone.isToDelete = gone.isToDelete || isCovered
        if var known, known.tag == nil, !gone.isToDelete {
            known.tag = gone.tag
            known.edits = max(known.edits, 1)
            known.generation = turn.facts.generation
            try storage.setRecord(known)
            try storage.removeGone([gone.recordName])
            return true
        }
        try storage.putGone([gone])
        return true
    }

    /// A record that must not be: it is deleted, in this version. A row that was the same goes,
    /// one that was changed here since is a new one.
    private func refuse<Storage: SyncStorage>(
        _ record: Record, _ known: SyncedRow?, _ storage: inout Storage
    ) throws(Storage.Failure) {
        let name = record.id.recordName
        try storage.putGone([GoneRecord(name, tag: record.recordChangeTag, isToDelete: true)])
        guard var known else { return }
        if known.tag == nil || known.edits > 0 {
            known.tag = nil
            try storage.setRecord(known)
        } else {
            try storage.removeRows([known.id])
        }
    }

    /// Stores what arrived, or what comes of it and the row that is here.
    private func merge<Storage: SyncStorage>(
        _ arrived: SyncedRow, into here: SyncedRow?, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        var arrived = arrived
        guard var here else {
            turn.report.downloaded += 1
            try storage.putRow(arrived)
            return
        }
        arrived.donation.row = here.donation.row
        arrived.donation.savedKey = here.donation.savedKey ?? arrived.donation.savedKey
        let isClean = here.tag != nil && here.edits == 0
        let isSame = here.donation.tellsSame(as: arrived.donation)
        let own = here.device ?? turn.facts.device ?? ""
        let isLater = here.donation.isLater(
            than: arrived.donation, by: own, arrived.device ?? "")
        if !isClean, !isSame, isLater {
            // The local event is kept, and written into the server's record.
            here.recordName = arrived.recordName
            here.tag = arrived.tag
            here.edits = max(here.edits, 1)
            here.generation = arrived.generation
            return try storage.setRecord(here)
        }
        arrived.donation.images = here.donation.images
        if !isSame {
            turn.report.downloaded += 1
            try storage.putRow(arrived)
        } else {
            try storage.setRecord(arrived)
        }
    }

    /// The key by which events of a saved activity find it on this device.
    private func savedKey<Storage: SyncStorage>(
        _ row: ExchangeRow, _ name: String, _ storage: Storage
    ) throws(Storage.Failure) -> String {
        if let identifier = row.donation.persistentIdentifier { return "p:" + identifier }
        let saved = row.donation.kind == .savedActivity ? name : row.savedName ?? name
        return try storage.row(named: saved)?.donation.savedKey ?? "r:" + saved
    }

    // MARK: Records that went

    /// The feed says that a row's record was deleted.
    func takeDeleted<Storage: SyncStorage>(
        _ name: String, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        guard ExchangeNames.isRow(name) else { return }
        try storage.removeGone([name])
        if let row = try storage.row(named: name), row.tag != nil {
            try drop(row, &storage, &turn)
        }
    }

    /// A row whose record is no longer there goes; never is it inserted again (R4). What was
    /// changed here and not sent is noted.
    func drop<Storage: SyncStorage>(
        _ row: SyncedRow, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        if !rules.dropsVanished {
            var row = row
            row.tag = nil
            return try storage.setRecord(row)
        }
        if row.edits > 0 {
            try storage.rescue(
                SyncRescue(
                    at: turn.now, cause: .recordVanished, zone: zone.zoneID,
                    recordName: row.recordName))
            turn.report.rescued += 1
            turn.report.refuse(.vanished)
        }
        try storage.removeRows([row.id])
        turn.report.remove(1, .recordVanished)
    }
}
