import CloudModel
import Donations

/// Takes records of donations, by the feed or because they were looked up.
struct RowReceiver<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// Whether the rows that are to be sent have got the names of their records in this round.
    private var hasNamedRows = false

    /// A record of a donation arrives.
    mutating func take(
        _ record: Record, _ knowledge: ExchangeKnowledge, _ turn: inout Turn
    ) throws(Storage.Failure) {
        let name = record.id.recordName
        let known = try row(of: record, &turn)
        if var known, known.tag == record.recordChangeTag {
            guard known.generation < turn.facts.generation else { return }
            known.generation = turn.facts.generation
            return try turn.storage.setRecord(known)
        }
        // What was on its way while the zone was lost and begun anew is not for this one (R8).
        if case .string(let mark)? = record.fields["zoneMark"]?.value,
            mark != turn.keys(.incarnation)
        {
            turn.report.refuse(.otherIncarnation)
            return try refuse(record, known, &turn.storage)
        }
        let row: ExchangeRow
        do throws(SyncRefusal) {
            guard ExchangeNames.isRow(name) else { throw .unreadable }
            row = try ExchangeRow(record)
            if let expected = row.name(turn.keys), expected != name { throw .unreadable }
        } catch {
            return turn.report.refuse(error)
        }
        let item = try turn.item(of: row.donation)
        let isCovered = knowledge.covers(row.donation, seen: row.context, item: item)
        if try staysGone(record, row, isCovered, known, &turn) { return }
        if isCovered {
            turn.report.refuse(.covered)
            return try refuse(record, known, &turn.storage)
        }
        if let link = row.donation.link, try turn.storage.refusesLink(link) {
            turn.report.refuse(.refusedLink)
            return try refuse(record, known, &turn.storage)
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
            arrived.donation.savedKey = try savedKey(row, name, turn.storage)
            // R15: out of sight until the item is here.
            arrived.isParked = row.donation.relatedIdentifier != nil && item == nil
        }
        let like = if let known { known } else { try turn.storage.row(like: arrived.donation) }
        try merge(arrived, into: like, &turn)
    }

    /// The feed says that a row's record was deleted.
    func takeDeleted(_ name: String, _ turn: inout Turn) throws(Storage.Failure) {
        guard ExchangeNames.isRow(name) else { return }
        try turn.storage.removeGone([name])
        if let row = try turn.storage.row(named: name), row.tag != nil { try turn.drop(row) }
    }

    /// The row of a record.
    private mutating func row(
        of record: Record, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncedRow? {
        if let known = try turn.storage.row(named: record.id.recordName) { return known }
        guard !hasNamedRows else { return nil }
        hasNamedRows = true
        try nameRows(&turn)
        return try turn.storage.row(named: record.id.recordName)
    }

    /// Names the records of all rows that are to be sent: a device that came back from a backup has
    /// sent some of them already, and events are known by nothing but these names.
    private func nameRows(_ turn: inout Turn) throws(Storage.Failure) {
        let keys = turn.keys
        var last: RowID?
        while true {
            let rows = try turn.storage.rowsToUpload(
                after: last, includingItems: false, limit: 500)
            for var row in rows where row.recordName == nil && row.donation.kind.isActivity {
                row.recordName = turn.carried(row, keys).name
                try turn.storage.setRecord(row)
            }
            guard rows.count == 500, let end = rows.last else { return }
            last = end.id
        }
    }

    /// Whether a record is one whose row went from here: in the version that it went in, or, when it
    /// went on this device only, another version of the same donation. What the app made in its
    /// place since is written into it.
    private func staysGone(
        _ record: Record, _ row: ExchangeRow, _ isCovered: Bool, _ known: SyncedRow?,
        _ turn: inout Turn
    ) throws(Storage.Failure) -> Bool {
        guard var gone = try turn.storage.gone(record.id.recordName) else { return false }
        let isVersion =
            gone.tag.map { $0 == record.recordChangeTag } ?? (row.device == turn.facts.device)
        // What was deleted on all devices is judged by contexts alone, never by a clock.
        let isSameDonation =
            !gone.isToDelete && !isCovered
            && gone.donatedAt.map { row.donation.donatedAt <= $0 } ?? false
        guard isVersion || isSameDonation else {
            try turn.storage.removeGone([gone.recordName])
            return false
        }
        gone.tag = record.recordChangeTag
        gone.isToDelete = gone.isToDelete || isCovered
        if var known, known.tag == nil, !gone.isToDelete {
            known.tag = gone.tag
            known.edits = max(known.edits, 1)
            known.generation = turn.facts.generation
            try turn.storage.setRecord(known)
            try turn.storage.removeGone([gone.recordName])
            return true
        }
        try turn.storage.putGone([gone])
        return true
    }

    /// A record that must not be: it is deleted, in this version. A row that was the same goes,
    /// one that was changed here since is a new one.
    private func refuse(
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
    private func merge(
        _ arrived: SyncedRow, into here: SyncedRow?, _ turn: inout Turn
    ) throws(Storage.Failure) {
        var arrived = arrived
        guard var here else {
            turn.report.downloaded += 1
            try turn.storage.putRow(arrived)
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
            return try turn.storage.setRecord(here)
        }
        arrived.donation.images = here.donation.images
        if !isSame {
            turn.report.downloaded += 1
            try turn.storage.putRow(arrived)
        } else {
            try turn.storage.setRecord(arrived)
        }
    }

    /// The key by which events of a saved activity find it on this device.
    private func savedKey(
        _ row: ExchangeRow, _ name: String, _ storage: Storage
    ) throws(Storage.Failure) -> String {
        if let identifier = row.donation.persistentIdentifier { return "p:" + identifier }
        let saved = row.donation.kind == .savedActivity ? name : row.savedName ?? name
        return try storage.row(named: saved)?.donation.savedKey ?? "r:" + saved
    }
}
