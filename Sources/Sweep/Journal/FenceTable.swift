import Basics
import CloudModel
import OpenSSL
import SQLite

/// Zones that must not come back. A zone is found by a keyed digest, so that a fence stands when
/// the zone's name was forgotten.
struct FenceTable {
    private static let keyNote = "fence key"
    private static let changesNote = "fence changes"

    let connection: Connection

    private var notes: NoteTable { NoteTable(connection: connection, run: 0) }

    /// Fences zones for a run: a later run takes over a fence that stands.
    func insert(
        _ zones: [RecordZone.ID], at address: Database.Address, run: Int64
    ) throws(JournalError) {
        let row = try RunTable(connection: connection).run(key: run)
        let place = row.containers.firstIndex(of: address.container)
        let user = place.flatMap { $0 < row.subjects.count ? row.subjects[$0] : nil } ?? ""
        for zone in zones {
            try insert(zone, at: address, run: row.id, since: row.began, user: user)
        }
    }

    func insert(
        _ zone: RecordZone.ID, at address: Database.Address, run: String, since: Timestamp,
        user: String
    ) throws(JournalError) {
        try notes.setOnce(Self.keyNote, SecureRandom.bytes(32))
        guard let digest = try digest(of: zone, at: address) else {
            throw JournalError(.corrupt, "the journal did not store the key of its fences")
        }
        try connection.change(
            "INSERT OR REPLACE INTO fences(container, environment, scope, digest, zone, run,"
                + " since, user) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            .text(address.container.rawValue), .text(address.environment.rawValue),
            .text(address.scope.rawValue), .blob(digest), .text(zone.qualifiedName), .text(run),
            .time(since), .text(user))
        try countChange()
    }

    /// Every fence, database by database.
    func all(limit: Int) throws(JournalError) -> [FenceRow] {
        try connection.list(
            "fences",
            "SELECT container, environment, scope, zone, run, since, user FROM fences"
                + " ORDER BY container, environment, scope, zone, digest LIMIT ?", .int(limit)
        ) { row throws(JournalError) in
            try FenceRow(
                container: row.container(), environment: row.named(), scope: row.named(),
                zone: row.optionalText().map { RecordZone.ID(qualifiedName: $0) }, run: row.text(),
                at: row.timestamp(), user: row.text())
        }
    }

    /// The fences around these zones, by name also where the journal has forgotten it.
    func around(
        _ zones: [RecordZone.ID], at address: Database.Address
    ) throws(JournalError) -> [FenceRow] {
        var found: [FenceRow] = []
        for zone in zones {
            guard let digest = try digest(of: zone, at: address) else { return [] }
            found += try connection.list(
                "fences",
                "SELECT run, since, user FROM fences WHERE container = ? AND environment = ?"
                    + " AND scope = ? AND digest = ?", .text(address.container.rawValue),
                .text(address.environment.rawValue), .text(address.scope.rawValue),
                .blob(digest)
            ) { row throws(JournalError) in
                try FenceRow(
                    container: address.container, environment: address.environment,
                    scope: address.scope, zone: zone, run: row.text(), at: row.timestamp(),
                    user: row.text())
            }
        }
        return found
    }

    /// Takes a fence away.
    func lift(_ zone: RecordZone.ID, at address: Database.Address) throws(JournalError) {
        guard let digest = try digest(of: zone, at: address) else { return }
        try connection.change(
            "DELETE FROM fences WHERE container = ? AND environment = ? AND scope = ?"
                + " AND digest = ?", .text(address.container.rawValue),
            .text(address.environment.rawValue), .text(address.scope.rawValue), .blob(digest))
        try countChange()
    }

    /// What changes whenever a fence is put up or lifted.
    func mark() throws(JournalError) -> String {
        String(decoding: try notes.value(Self.changesNote) ?? [], as: UTF8.self)
    }

    private func countChange() throws(JournalError) {
        try notes.set(Self.changesNote, Array("\((Int(try mark()) ?? 0) + 1)".utf8))
    }

    /// nil: no fence was ever put up.
    private func digest(
        of zone: RecordZone.ID, at address: Database.Address
    ) throws(JournalError) -> [UInt8]? {
        guard let key = try notes.value(Self.keyNote) else { return nil }
        return HMACSHA256.authenticate(
            Array("fence\n\(address)\n\(zone.qualifiedName)".utf8), key: key)
    }
}
