import Basics
import CloudModel

/// Share records, as far as they are written outside of `records/modify`.
extension Shares {
    /// What a session writes the records of a zone with.
    func writer(in row: ZoneRow, _ session: Session) throws(CloudError) -> ZoneWriter {
        guard let view = row.access.view else {
            return ZoneWriter(
                context, databases, self, session.database, row, by: session.writer)
        }
        let owner = try databases.state(view.owner)
        try databases.beginWriting(owner)
        guard let own = try tables.zones.live(view.zoneName, in: owner.id) else { throw .noZone }
        return ZoneWriter(context, databases, self, owner, own, by: session.writer)
    }

    /// A share's record, and where it stands in its zone's feed.
    func record(
        of share: ZoneShare, in incarnation: Int64
    ) throws(CloudError) -> StoredRecord {
        guard let record = try tables.records.find(share.recordName, in: incarnation),
            record.sharing != nil
        else { throw tables.damaged() }
        return record
    }

    /// Writes a share's record, and lets those take part who are accepted now.
    func put(
        _ sharing: StoredShare, in record: StoredRecord, by stamp: Record.Stamp,
        in writer: ZoneWriter
    ) throws(CloudError) {
        var changed = record
        changed.sharing = sharing
        changed.modified = stamp
        _ = try writer.put(changed, was: record, at: record.seq)
        guard let share = zone(writer.row.incarnation)?.share(named: record.name) else { return }
        try setAccepted(sharing.accepted, of: share.number, in: writer)
    }

    /// Takes somebody off a share, if they are on it.
    func remove(
        _ user: String, from record: StoredRecord, by stamp: Record.Stamp, in writer: ZoneWriter
    ) throws(CloudError) {
        guard var sharing = record.sharing, sharing.remove(user) else { return }
        try put(sharing, in: record, by: stamp, in: writer)
    }

    // MARK: - New shares

    /// The owner of a database as a participant of their shares.
    func owner(of database: DatabaseKey) -> ShareParticipant {
        ShareParticipant(
            identity: accounts.identity(of: database.user, at: database.address), role: .owner,
            permission: .readWrite, acceptance: .accepted)
    }

    /// What a share of a database's is at first: its owner's alone.
    func newShare(of root: String?, by database: DatabaseKey) -> StoredShare {
        StoredShare(
            root: root,
            owner: StoredShare.Participant(
                id: context.generator.uuid(), user: database.user, owner(of: database)))
    }

    /// What a record can be found by: the same each time a root is shared, so that an address stays
    /// good.
    func shortGUID(of record: StoredRecord, in writer: ZoneWriter) -> String {
        let row = writer.row
        let target = record.sharing.map { "root " + ($0.root ?? "") } ?? "record " + record.name
        var generator = SeededGenerator(
            seed: FeedToken.digest(
                [row.name, String(row.incarnation), target], from: writer.database.digest)
                ^ context.seed &* 0x9E37_79B9_7F4A_7C15)
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let digits = (0..<24).map { _ in letters[Int(generator.next() % UInt64(letters.count))] }
        return "0" + String(decoding: digits, as: UTF8.self)
    }

    // MARK: - Leaving

    /// Takes a participant off all the shares that a view shows.
    func leave(_ view: ZoneView, by stamp: Record.Stamp) throws(CloudError) {
        try change(view.incarnation) { writer throws(CloudError) in
            for number in view.shares.keys.sorted() {
                guard let share = zone(view.incarnation)?.shares[number] else { continue }
                try remove(
                    view.user, from: try record(of: share, in: view.incarnation), by: stamp,
                    in: writer)
            }
        }
    }

    /// Changes shares of a zone outside of a batch.
    func change(
        _ incarnation: Int64, _ body: (ZoneWriter) throws(CloudError) -> Void
    ) throws(CloudError) {
        guard let shared = zone(incarnation) else { throw .noZone }
        let owner = try databases.state(shared.owner)
        guard let row = try tables.zones.live(shared.name, in: owner.id) else { throw .noZone }
        try databases.beginWriting(owner)
        let writer = ZoneWriter(context, databases, self, owner, row, by: nil)
        try body(writer)
        try writer.save()
    }

    /// A participant deletes a zone of their shared database, which ends what they have of it.
    func leave(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) {
        guard let view = try zone(zoneID, session).access.view else { throw .noZone }
        try leave(view, by: session.stamp)
    }

    /// Takes whoever has a database off all shares that it shows.
    func leaveAll(_ database: DatabaseState) throws(CloudError) {
        let stamp = Record.Stamp(
            timestamp: context.clock.now, userRecordName: accounts.ownerName(of: database.key),
            deviceID: Session.webDevice)
        for view in views({ $0.participant == database.key }) { try leave(view, by: stamp) }
    }
}
