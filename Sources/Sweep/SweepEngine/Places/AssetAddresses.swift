import Basics
import Journal
import OpenSSL

/// The addresses of the assets that a run deletes, in the journal.
///
/// An address is all that is needed to get the file, so none is on disk in clear. Each is encrypted with a key of
/// the run; destroying the key makes all of them unreadable at once. The key is in the same journal: against those
/// who can read the journal this protects nothing. A digest would not do: a resumed run and a later `verify`
/// ask the addresses again.
struct AssetAddresses: Sendable {
    /// An asset's row, and where it can be had.
    typealias Entry = (row: SeenRow, address: String)

    let journal: any Journal
    let run: Int64

    private static let keyNote = "asset key"
    private static let addressNote = "asset address "

    /// Destroys the run's key, and with it every address.
    static var lost: JournalChange { .note(key: keyNote, value: []) }

    /// Addresses that are kept of one asset: as many looks as a run has that is continued now and then.
    private static let addressesMax = 8

    /// Writes addresses down beside those that were given before.
    func keep(_ entries: [Entry]) async throws(SweepFailure) {
        guard !entries.isEmpty else { return }
        let key = try await key()
        var notes: [JournalChange] = []
        for entry in entries {
            var all = try await addresses(of: entry.row).filter { $0 != entry.address }
            all.append(entry.address)
            let name = Self.name(of: entry.row)
            let text = all.suffix(Self.addressesMax).joined(separator: String(Self.separator))
            notes.append(
                .note(
                    key: name,
                    value: SealedBox.seal(Array(text.utf8), key: key, context: Array(name.utf8))))
        }
        try await journal.remember(notes, run: run)
    }

    /// No address has one: who gives such an address gives two, neither of which is any.
    private static let separator: Character = "\n"

    /// Every address that the service gave of an asset, the newest last; empty: it gave none.
    ///
    /// - Throws: `journal` with `corrupt` for one that was changed.
    func addresses(of row: SeenRow) async throws(SweepFailure) -> [String] {
        let name = Self.name(of: row)
        guard let box = try await note(name) else { return [] }
        let key = try checked(try await note(Self.keyNote) ?? [])
        guard let bytes = SealedBox.open(box, key: key, context: Array(name.utf8)),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw .journal(JournalError(.corrupt, "the address of an asset was changed"))
        }
        return text.split(separator: Self.separator, omittingEmptySubsequences: false)
            .map(String.init)
    }

    private func key() async throws(SweepFailure) -> [UInt8] {
        if let key = try await note(Self.keyNote) { return try checked(key) }
        let fresh = SecureRandom.bytes(SealedBox.keyByteCount)
        // Another may have been quicker: then this is not written.
        try await journal.remember([.noteOnce(key: Self.keyNote, value: fresh)], run: run)
        return try checked(try await note(Self.keyNote) ?? [])
    }

    private func checked(_ key: [UInt8]) throws(SweepFailure) -> [UInt8] {
        guard key.count == SealedBox.keyByteCount else {
            throw .journal(JournalError(.corrupt, "the key of the run's addresses is damaged"))
        }
        return key
    }

    private func note(_ key: String) async throws(SweepFailure) -> [UInt8]? {
        do throws(JournalError) {
            return try await journal.note(run: run, key: key)
        } catch {
            throw .journal(error)
        }
    }

    /// A name of a fixed length, in which each part stands behind its length.
    private static func name(of row: SeenRow) -> String {
        var hash = SHA256()
        for part in ["\(row.container)", row.scope.rawValue, row.zone, row.type, row.name] {
            hash.update(Array("\(part.utf8.count) \(part)".utf8))
        }
        return addressNote + Hexadecimal.encode(hash.finish())
    }
}
