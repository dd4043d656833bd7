import Donations
import SQLite

/// The app's plain lists: each part is replaced as a whole.
extension StoreCore {
    /// Replaces one part of a list.
    func replace(
        _ kind: DonationKind, part: String, with entries: [ListEntry]
    ) throws(DonationError) {
        guard DonationKind.lists.contains(kind) else {
            throw DonationError(.invalid, "\(kind) is not a list")
        }
        guard entries.count <= DonationLimits.rowsMax else {
            throw DonationError(.invalid, "a list is too long")
        }
        let wordMax =
            kind == .vocabulary ? DonationLimits.vocabularyBytesMax : DonationLimits.nameBytesMax
        guard entries.allSatisfy({ $0.identifier.utf8.count <= wordMax }) else {
            throw DonationError(.invalid, "an entry of a list is too long")
        }
        try empty(kind, part)
        for (position, entry) in entries.enumerated() {
            try change(
                "INSERT INTO lists VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .text(kind.rawValue),
                .text(part), .integer(Int64(position)), .text(entry.identifier),
                .text(orNull: entry.title), .text(orNull: entry.suggestedInvocationPhrase),
                .blob(entry.payload),
                .blob(PayloadValue.array(entry.mentions.map { .string($0) }).encoded))
        }
        count(kind, entries.count)
    }

    /// The entries of a list, or of one part, in order.
    func entries(_ kind: DonationKind, part: String?) throws(DonationError) -> [ListEntry] {
        try read(
            "SELECT identifier, title, phrase, payload, mentions FROM lists WHERE kind = ?1"
                + " AND (?2 IS NULL OR part = ?2) ORDER BY part, position",
            .text(kind.rawValue), .text(orNull: part)
        ) { row in
            let mentions = try? PayloadValue(decoding: row.bytes(at: 4))
            return ListEntry(
                identifier: row.text(at: 0), title: row.optionalText(at: 1),
                suggestedInvocationPhrase: row.optionalText(at: 2), payload: row.bytes(at: 3),
                mentions: mentions?.texts ?? [])
        }
    }

    // MARK: Deleting

    /// The lists that a selector empties, and which part of each.
    private func emptied(_ selector: DonationSelector) -> [(kind: DonationKind, part: String?)] {
        switch selector {
        case .list(let kind, let part):
            DonationKind.lists.contains(kind) ? [(kind, part)] : []
        case .everything:
            DonationKind.lists.filter { $0 != .voiceShortcut }.map { ($0, nil) }
        default: []
        }
    }

    /// Counts what goes from the lists.
    func countLists(in receipt: inout DonationReceipt) throws(DonationError) {
        for (kind, part) in emptied(receipt.selector) {
            let entries = try entries(kind, part: part)
            guard !entries.isEmpty else { continue }
            receipt.counts.append(.init(kind: kind, rule: .direct, rows: entries.count))
            let room = max(0, configuration.receiptEntriesMax - receipt.removed.count)
            receipt.removed += entries.prefix(room).map {
                .init(kind: kind, identifierDigest: digest($0.identifier), rule: .direct)
            }
            if entries.count > room { receipt.isComplete = false }
        }
    }

    /// Empties the lists that a selector means, and with everything or all items the client
    /// states.
    func deleteLists(_ selector: DonationSelector) throws(DonationError) {
        for (kind, part) in emptied(selector) { try empty(kind, part) }
        switch selector {
        case .everything, .allSearchableItems(nil): try change("DELETE FROM client_states")
        case .allSearchableItems(let name?):
            try change("DELETE FROM client_states WHERE name = ?", .text(name))
        default: break
        }
        guard case .everything = selector else { return }
        // The types in the log tell what the person did.
        try execute("DELETE FROM outcomes; DELETE FROM counters WHERE name GLOB 'log *'")
    }

    /// Empties a list, or one part of it.
    private func empty(_ kind: DonationKind, _ part: String?) throws(DonationError) {
        try change(
            "DELETE FROM lists WHERE kind = ?1 AND (?2 IS NULL OR part = ?2)",
            .text(kind.rawValue), .text(orNull: part))
        count(kind, -connection.changes)
    }
}
