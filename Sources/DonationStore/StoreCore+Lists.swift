import Donations
import SQLite

/// The app's plain lists: each part is replaced as a whole.
extension StoreCore {
    /// Replaces one part of a list.
    func replace(
        _ kind: DonationKind, part: String, with entries: [ListEntry]
    ) throws(DonationError) {
        guard DonationKind.lists.contains(kind) else {
            throw DonationError(.invalid, "\(kind) is no list")
        }
        guard entries.count <= DonationLimits.rowsMax else {
            throw DonationError(.invalid, "a list is too long")
        }
        let wordMax =
            kind == .vocabulary ? DonationLimits.vocabularyBytesMax : DonationLimits.nameBytesMax
        guard entries.allSatisfy({ $0.identifier.utf8.count <= wordMax }) else {
            throw DonationError(.invalid, "an entry of a list is too long")
        }
        try sqlite { () throws(SQLiteError) in
            try connection.run(
                "DELETE FROM lists WHERE kind = ? AND part = ?", .text(kind.rawValue), .text(part))
            count(kind, -connection.changes)
            let statement = try connection.prepare(
                "INSERT INTO lists VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            for (position, entry) in entries.enumerated() {
                statement.bind(1, kind.rawValue)
                statement.bind(2, part)
                statement.bind(3, position)
                statement.bind(4, entry.identifier)
                statement.bind(5, entry.title)
                statement.bind(6, entry.suggestedInvocationPhrase)
                statement.bind(7, entry.payload)
                statement.bind(
                    8, PayloadValue.array(entry.mentions.map { .string($0) }).encoded)
                try statement.run()
            }
            count(kind, entries.count)
        }
    }

    /// The entries of a list, or of one part, in order.
    func entries(_ kind: DonationKind, part: String?) throws(DonationError) -> [ListEntry] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT identifier, title, phrase, payload, mentions FROM lists WHERE kind = ?"
                    + (part == nil ? "" : " AND part = ?") + " ORDER BY part, position")
            defer { statement.reset() }
            statement.bind(1, kind.rawValue)
            if let part { statement.bind(2, part) }
            var entries: [ListEntry] = []
            while try statement.step() {
                let mentions = try? PayloadValue(decoding: statement.bytes(at: 4))
                entries.append(
                    ListEntry(
                        identifier: statement.text(at: 0), title: statement.optionalText(at: 1),
                        suggestedInvocationPhrase: statement.optionalText(at: 2),
                        payload: statement.bytes(at: 3), mentions: mentions?.texts ?? []))
            }
            return entries
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
        try sqlite { () throws(SQLiteError) in
            for (kind, part) in emptied(selector) {
                let condition = part == nil ? "" : " AND part = ?"
                let statement = try connection.prepare(
                    "DELETE FROM lists WHERE kind = ?" + condition)
                statement.bind(1, kind.rawValue)
                if let part { statement.bind(2, part) }
                try statement.run()
                count(kind, -connection.changes)
            }
            switch selector {
            case .everything, .allSearchableItems(nil):
                try connection.execute("DELETE FROM client_states")
            case .allSearchableItems(let name?):
                try connection.run("DELETE FROM client_states WHERE name = ?", .text(name))
            default: break
            }
            guard case .everything = selector else { return }
            // The types in the log tell what the user did.
            try connection.execute(
                "DELETE FROM outcomes; DELETE FROM counters WHERE name GLOB 'log *'")
        }
    }
}
