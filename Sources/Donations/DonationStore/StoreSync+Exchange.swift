package import Basics
package import DonationSync
import Donations
private import FoundationEssentials
private import OpenSSL
import SQLite

// What the exchange between devices keeps: facts, deletions and record deletes.
extension StoreSync {
    package func exchange() throws(DonationError) -> ExchangeFacts {
        let stored = try core.read("SELECT facts FROM sync_exchange") { $0.bytes(at: 0) }.first
        guard let stored else { return ExchangeFacts() }
        guard let facts = ExchangeFacts(decoding: stored) else {
            throw DonationError(.corrupt, "cannot read the state of the donation zone")
        }
        return facts
    }

    package mutating func setExchange(_ facts: ExchangeFacts) throws(DonationError) {
        let wasOn = try core.isAny("SELECT 1 FROM sync_exchange WHERE is_on = 1")
        try core.change(
            "INSERT OR REPLACE INTO sync_exchange VALUES (1, ?, ?)", .flag(facts.isOn),
            .blob(facts.encoded))
        guard wasOn != facts.isOn else { return }
        try core.execute(facts.isOn ? StoreSchema.unsentIndexes : StoreSchema.noUnsentIndexes)
    }

    // MARK: Deletions

    package func ownDeletions(limit: Int) throws(DonationError) -> [OwnDeletion] {
        try core.read(
            "SELECT sequence, at, selector FROM sync_own_deletions ORDER BY sequence LIMIT ?",
            .integer(Int64(max(0, limit)))
        ) { row throws(DonationError) in
            OwnDeletion(
                sequence: row.int64(at: 0), words: try Self.words(row.bytes(at: 2)),
                at: Timestamp(milliseconds: row.int64(at: 1)))
        }
    }

    package mutating func addOwnDeletion(_ deletion: OwnDeletion) throws(DonationError) {
        let words: [UInt8]
        do {
            words = Array(try JSONEncoder().encode(deletion.words))
        } catch {
            throw DonationError(.invalid, "cannot write a selector")
        }
        try core.change(
            "INSERT OR REPLACE INTO sync_own_deletions VALUES (?, ?, ?)",
            .integer(deletion.sequence), .integer(deletion.at.milliseconds), .blob(words))
    }

    private static func words(_ bytes: [UInt8]) throws(DonationError) -> OwnDeletion.Words {
        do {
            return try JSONDecoder().decode(OwnDeletion.Words.self, from: Data(bytes))
        } catch {
            throw DonationError(.corrupt, "cannot read a deletion that is to be sent")
        }
    }

    package mutating func removeOwnDeletion(_ sequence: Int64) throws(DonationError) {
        try core.change("DELETE FROM sync_own_deletions WHERE sequence = ?", .integer(sequence))
    }

    package mutating func removeOwnDeletions() throws(DonationError) {
        try core.change("DELETE FROM sync_own_deletions")
    }

    package func deletions() throws(DonationError) -> [SyncDeletion] {
        try core.read(
            "SELECT device, sequence, kind, keys, index_key, begins, ends, at, generation,"
                + " stored_at FROM sync_deletions ORDER BY device, sequence"
        ) { row in
            var deletion = SyncDeletion(
                device: row.text(at: 0), sequence: row.int64(at: 1), kind: row.text(at: 2),
                keys: row.text(at: 3).split(separator: "\n").map { String($0) },
                at: Timestamp(milliseconds: row.int64(at: 7)))
            deletion.indexKey = row.optionalText(at: 4)
            deletion.from = row.int64(at: 5)
            deletion.until = row.int64(at: 6)
            deletion.generation = row.int64(at: 8)
            deletion.storedAt = row.moment(at: 9)
            return deletion
        }
    }

    package mutating func putDeletion(_ deletion: SyncDeletion) throws(DonationError) {
        try core.change(
            "INSERT OR REPLACE INTO sync_deletions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .text(deletion.device), .integer(deletion.sequence), .text(deletion.kind),
            .text(deletion.keys.joined(separator: "\n")), .text(orNull: deletion.indexKey),
            .integer(deletion.from), .integer(deletion.until), .integer(deletion.at.milliseconds),
            .integer(deletion.generation), .integer(orNull: deletion.storedAt?.milliseconds))
    }

    package mutating func removeDeletion(
        of device: String, sequence: Int64
    ) throws(DonationError) {
        try core.change(
            "DELETE FROM sync_deletions WHERE device = ? AND sequence = ?", .text(device),
            .integer(sequence))
    }

    package mutating func removeAllDeletions() throws(DonationError) {
        try core.change("DELETE FROM sync_deletions")
        try core.change("DELETE FROM sync_own_deletions")
    }

    /// All deletions that are known here, ready to be asked about rows.
    func knowledge() throws(DonationError) -> ExchangeKnowledge {
        try Exchange.knowledge(self, digest: .hmac)
    }

    // MARK: Records whose row is gone

    package func gone(_ recordName: String) throws(DonationError) -> GoneRecord? {
        try core.read(
            "SELECT \(Self.goneColumns) FROM sync_gone WHERE name = ?", .text(recordName),
            row: Self.gone
        ).first
    }

    package func pendingDeletes(limit: Int) throws(DonationError) -> [GoneRecord] {
        try core.read(
            "SELECT \(Self.goneColumns) FROM sync_gone WHERE deletes = 1 AND tag IS NOT NULL"
                + " ORDER BY name LIMIT ?", .integer(Int64(max(0, limit))), row: Self.gone)
    }

    private static let goneColumns = "name, tag, deletes, donated, deletes_from"

    private static func gone(_ row: Statement) -> GoneRecord {
        GoneRecord(
            row.text(at: 0), tag: row.optionalText(at: 1), isToDelete: row.bool(at: 2),
            donatedAt: row.moment(at: 3), deletesFrom: row.moment(at: 4))
    }

    package mutating func putGone(_ records: [GoneRecord]) throws(DonationError) {
        for record in records {
            try core.change(
                "INSERT OR REPLACE INTO sync_gone VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
                .text(record.recordName), .text(orNull: record.tag), .flag(record.isToDelete),
                .integer(orNull: record.donatedAt?.milliseconds),
                .integer(orNull: record.deletesFrom?.milliseconds))
        }
    }

    package func releaseMoment() throws(DonationError) -> Timestamp? {
        try core.read(
            "SELECT min(asks_from) FROM sync_gone WHERE deletes = 0 AND asks_from IS NOT NULL"
        ) { $0.moment(at: 0) }.first ?? nil
    }

    package mutating func releaseGone(
        at time: Timestamp, now: Timestamp?
    ) throws(DonationError) {
        let waiting = "deletes = 0 AND asks_from IS NOT NULL"
        try core.change(
            "UPDATE sync_gone SET deletes = 1 WHERE \(waiting) AND deletes_from <= ?",
            .integer(time.milliseconds))
        guard let now else { return }
        try core.change(
            "UPDATE sync_gone SET asks_from = deletes_from + ? WHERE \(waiting)",
            .integer(now.millisecondsSince(time)))
    }

    package mutating func removeGone(_ names: [String]) throws(DonationError) {
        for name in names { try core.change("DELETE FROM sync_gone WHERE name = ?", .text(name)) }
    }

    package mutating func removeGoneWithoutTag() throws(DonationError) {
        try core.change("DELETE FROM sync_gone WHERE tag IS NULL")
    }

    package mutating func removeAllGone() throws(DonationError) -> Int {
        let count = try core.number("SELECT count(*) FROM sync_gone WHERE deletes = 1")
        try core.change("DELETE FROM sync_gone")
        return Int(count)
    }
}

extension SyncDigest {
    /// The digest by which names travel: HMAC with SHA-256.
    package static let hmac = SyncDigest { HMACSHA256.authenticate($1, key: $0) }
}
