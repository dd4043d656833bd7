package import CloudModel
package import DonationSync
package import Donations
import SQLite

/// The names of the records that are alive in a zone, as a log.
///
/// A page of a feed is one row of the log: the 64-bit digests of its names under the store's own
/// key, and the scan that delivered them. Writing it costs the same however many names there are;
/// only a sweep reads the log, once for each chunk of linked records. What a finished sweep leaves
/// behind is dropped whole, and a log of which most is out of date is written anew.
extension StoreSync {
    /// Entries that a log may have before it is written anew, beside four times what it keeps.
    private static let entriesMax: Int64 = 50_000
    /// The same while the zone is scanned, when most entries are new.
    private static let entriesMaxInScan: Int64 = 1_000_000
    /// Logs with more names than this are left as they are: they would not fit into memory well.
    private static let namesMax = 500_000
    /// Digests in one row of a log that is written anew.
    private static let digestsPerRow = 4096

    package mutating func note(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address,
        generation: Int64
    ) throws(DonationError) {
        try append(names, forgets: false, zone, address, generation)
    }

    package func notedNames(
        among names: [String], in zone: RecordZone.ID, at address: Database.Address,
        before generation: Int64
    ) throws(DonationError) -> [String] {
        guard let row = try row(of: zone, address) else { return [] }
        return try staleNames(names, row.id, before: generation)
    }

    package mutating func forgetNames(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address
    ) throws(DonationError) {
        try append(names, forgets: true, zone, address, 0)
    }

    package mutating func forgetNames(
        in zone: RecordZone.ID, at address: Database.Address
    ) throws(DonationError) {
        guard let id = try row(of: zone, address)?.id else { return }
        try core.change("DELETE FROM sync_names WHERE zone = ?", .integer(id))
        try core.change("UPDATE sync_zones SET noted = 0, settled = 0 WHERE id = ?", .integer(id))
    }

    package mutating func sweepNames(
        in zone: RecordZone.ID, at address: Database.Address, before generation: Int64,
        links: [ContentLink], limit: Int
    ) throws(DonationError) -> SyncSweep {
        guard let row = try row(of: zone, address) else {
            return SyncSweep(rows: 0, isFinished: true)
        }
        let records = try linkedRecords(links, after: row.swept, limit: max(1, limit))
        let stale = try staleNames(records, row.id, before: generation)
        let parts = stale.flatMap { name in
            links.map { link in
                var part = link
                part.record = name
                return part
            }
        }
        let removed = parts.isEmpty ? 0 : try deleteLinked(parts, .everywhere)
        guard let last = records.last, records.count >= max(1, limit) else {
            try core.change(
                "DELETE FROM sync_names WHERE zone = ? AND forgets = 0 AND generation < ?",
                .integer(row.id), .integer(generation))
            try core.change(
                "UPDATE sync_zones SET swept = NULL, (noted, settled) = (SELECT"
                    + " coalesce(sum(length(digests)), 0) / 8, coalesce(sum(length(digests)), 0) / 8"
                    + " FROM sync_names WHERE zone = ?1) WHERE id = ?1", .integer(row.id))
            return SyncSweep(rows: removed, isFinished: true)
        }
        try core.change(
            "UPDATE sync_zones SET swept = ? WHERE id = ?", .text(last), .integer(row.id))
        return SyncSweep(rows: removed, isFinished: false)
    }

    // MARK: The log

    private struct ZoneRow {
        let id: Int64
        let swept: String?
        let noted: Int64
        let settled: Int64
        let isScanning: Bool
    }

    private func row(
        of zone: RecordZone.ID, _ address: Database.Address
    ) throws(DonationError) -> ZoneRow? {
        try core.read(
            "SELECT id, swept, noted, settled, scanning FROM sync_zones"
                + " WHERE \(Database.Address.condition) AND owner = ? AND name = ?",
            values: Self.key(zone, address)
        ) { row in
            ZoneRow(
                id: row.int64(at: 0), swept: row.optionalText(at: 1), noted: row.int64(at: 2),
                settled: row.int64(at: 3), isScanning: row.bool(at: 4))
        }.first
    }

    private mutating func append(
        _ names: [String], forgets: Bool, _ zone: RecordZone.ID, _ address: Database.Address,
        _ generation: Int64
    ) throws(DonationError) {
        guard !names.isEmpty else { return }
        if try row(of: zone, address) == nil { try setZone(SyncZone(zone), at: address) }
        guard let row = try row(of: zone, address) else { return }
        let key = try core.markKey()
        var digests: [UInt8] = []
        digests.reserveCapacity(names.count * 8)
        for name in names { Self.add(Self.digest(name, key), to: &digests) }
        try core.change(
            "INSERT INTO sync_names(zone, generation, forgets, digests) VALUES (?, ?, ?, ?)",
            .integer(row.id), .integer(generation), .flag(forgets), .blob(digests))
        let noted = row.noted + Int64(names.count)
        try core.change(
            "UPDATE sync_zones SET noted = ? WHERE id = ?", .integer(noted), .integer(row.id))
        let most = row.isScanning ? Self.entriesMaxInScan : Self.entriesMax
        if noted > most + 4 * row.settled { try rewrite(row.id, noted) }
    }

    private static func digest(_ name: String, _ key: (UInt64, UInt64)) -> UInt64 {
        SuggestionMark(name, key: key).rawValue
    }

    private static func add(_ digest: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: digest >> UInt64(shift)))
        }
    }

    /// Hands over every entry of a zone's log in order: 0 as generation means forgotten.
    private func eachEntry(
        of zone: Int64, _ body: (_ digest: UInt64, _ generation: Int64) -> Void
    ) throws(DonationError) {
        _ = try core.read(
            "SELECT generation, forgets, digests FROM sync_names WHERE zone = ? ORDER BY id",
            .integer(zone)
        ) { row in
            let generation = row.bool(at: 1) ? 0 : row.int64(at: 0)
            let bytes = row.bytes(at: 2)
            var index = 0
            while index + 8 <= bytes.count {
                var digest: UInt64 = 0
                for place in 0..<8 { digest |= UInt64(bytes[index + place]) << UInt64(8 * place) }
                body(digest, generation)
                index += 8
            }
        }
    }

    /// Which of these names were noted by an older scan, and by none since.
    private func staleNames(
        _ names: [String], _ zone: Int64, before generation: Int64
    ) throws(DonationError) -> [String] {
        guard !names.isEmpty else { return [] }
        guard
            try core.isAny(
                "SELECT 1 FROM sync_names WHERE zone = ? AND generation < ? AND forgets = 0 LIMIT 1",
                .integer(zone), .integer(generation))
        else { return [] }
        let key = try core.markKey()
        let digests = names.map { Self.digest($0, key) }
        var last = Dictionary(digests.map { ($0, Int64(0)) }, uniquingKeysWith: { old, _ in old })
        try eachEntry(of: zone) { digest, generation in
            if let index = last.index(forKey: digest) { last.values[index] = generation }
        }
        return zip(names, digests).filter { _, digest in
            let seen = last[digest] ?? 0
            return seen != 0 && seen < generation
        }.map(\.0)
    }

    /// Keeps of a log only what it says at its end.
    private func rewrite(_ zone: Int64, _ noted: Int64) throws(DonationError) {
        var last: [UInt64: Int64] = [:]
        var isTooLarge = false
        try eachEntry(of: zone) { digest, generation in
            isTooLarge = isTooLarge || last.count >= Self.namesMax
            if !isTooLarge { last[digest] = generation == 0 ? nil : generation }
        }
        let kept = isTooLarge ? noted : Int64(last.count)
        try core.change(
            "UPDATE sync_zones SET settled = ?1, noted = ?1 WHERE id = ?2", .integer(kept),
            .integer(zone))
        guard !isTooLarge else { return }
        try core.change("DELETE FROM sync_names WHERE zone = ?", .integer(zone))
        for (generation, names) in Dictionary(grouping: last, by: \.value) {
            var rest = names.map(\.key).sorted()[...]
            while !rest.isEmpty {
                var digests: [UInt8] = []
                for digest in rest.prefix(Self.digestsPerRow) { Self.add(digest, to: &digests) }
                try core.change(
                    "INSERT INTO sync_names(zone, generation, forgets, digests)"
                        + " VALUES (?, ?, 0, ?)", .integer(zone), .integer(generation),
                    .blob(digests))
                rest = rest.dropFirst(Self.digestsPerRow)
            }
        }
    }
}
