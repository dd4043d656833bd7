import DonationSync
import Donations
import SQLite

extension StoreCore {
    /// Deletes what a selector means, or only says what that would be.
    func delete(
        _ selector: DonationSelector, scope: DeletionScope, isPreview: Bool = false
    ) throws(DonationError) -> DonationReceipt {
        let clauses = DeletionClauses(selector)
        try load(clauses.keys)
        var receipt = DonationReceipt(selector: selector, scope: scope)
        for kind in DeletionClauses.order {
            try count(clauses.parts(kind), kind, in: &receipt)
        }
        try countLists(in: &receipt)
        try findUnmatched(clauses, in: &receipt)
        try findScrubbed(clauses, in: &receipt)
        if configuration.isStrict, receipt.unmatchedCount > 0, !isPreview {
            throw DonationError(
                .unmatchedIdentifiers,
                "\(receipt.unmatchedCount) identifiers matched nothing; nothing was deleted")
        }
        try addNotes(clauses, to: &receipt)
        for kind in DonationKind.allCases {
            let kept = try tally(kind) - receipt.removedCount(kind)
            if kept > 0 { receipt.kept[kind] = kept }
        }
        guard !isPreview else { return receipt }
        try prepareSync(selector, clauses, scope, receipt)
        if let scrubbed = clauses.scrubbed { try scrub(scrubbed) }
        for kind in DeletionClauses.order {
            try delete(clauses.parts(kind).map(\.clause), kind, receipt.removedCount(kind))
        }
        try deleteLists(selector)
        hasDeleted = hasDeleted || (!isInMemory && receipt.removedCount > 0)
        receipt.journalSequence = try log(
            "delete", removed: receipt.removedCount, unmatched: receipt.unmatchedCount)
        return receipt
    }

    /// Deletes everything; afterwards the file is rewritten.
    func erase(_ scope: DeletionScope) throws(DonationError) -> DonationReceipt {
        guard !isInMemory else { return try eraseRows(scope) }
        // What is rewritten need not be overwritten before.
        try execute("PRAGMA secure_delete = FAST")
        defer { try? connection.execute("PRAGMA secure_delete = ON") }
        let receipt = try eraseRows(scope)
        try noteCleaning(.file)
        cleansAfterwards = true
        return receipt
    }

    private func eraseRows(_ scope: DeletionScope) throws(DonationError) -> DonationReceipt {
        let receipt = try delete(.everything, scope: scope)
        var sync = StoreSync(self)
        try Exchange.eraseWords(&sync, digest: .hmac)
        try forgetLostItems()
        return receipt
    }

    /// Puts names where conditions look for them; empty ones name nothing.
    func load(_ names: [String]) throws(DonationError) {
        try change("DELETE FROM temp.keys")
        for name in names where !name.isEmpty {
            try change("INSERT OR IGNORE INTO temp.keys VALUES (?)", .text(name))
        }
    }

    // MARK: What goes

    /// Counts the rows of a kind and lists the first of them.
    private func count(
        _ parts: [DeletionClauses.Part], _ kind: DonationKind, in receipt: inout DonationReceipt
    ) throws(DonationError) {
        guard try tally(kind) > 0 else { return }
        var before: [Clause] = []
        for part in parts {
            let clause = part.clause.butNot(before)
            before.append(part.clause)
            let (rows, published) = try count(clause, kind)
            guard rows > 0 else { continue }
            receipt.counts.append(.init(kind: kind, rule: part.rule, rows: rows))
            receipt.publicRows += published
            let room = configuration.receiptEntriesMax - receipt.removed.count
            receipt.removed += try entries(clause, kind, part.rule, limit: max(0, room))
            if rows > room { receipt.isComplete = false }
        }
    }

    /// How many rows a condition holds for, and how many of them are public.
    func count(
        _ clause: Clause, _ kind: DonationKind
    ) throws(DonationError) -> (rows: Int, published: Int) {
        let isActivity = kind == .activity || kind == .savedActivity
        return try read(
            "SELECT count(*)\(isActivity ? ", total(eligibility & 4) / 4" : ", 0")"
                + " FROM \(kind.table) WHERE \(clause.sql)", values: clause.values
        ) { ($0.int(at: 0), $0.int(at: 1)) }.first ?? (0, 0)
    }

    /// The first rows that a condition holds for, by digest.
    func entries(
        _ clause: Clause, _ kind: DonationKind, _ rule: DonationReceipt.Rule, limit: Int
    ) throws(DonationError) -> [DonationReceipt.Entry] {
        guard limit > 0 else { return [] }
        return try read(
            "SELECT coalesce(nullif(identifier, ''), pid, saved_key, id), eligibility"
                + " FROM \(kind.table) WHERE \(clause.sql) ORDER BY id LIMIT ?",
            values: clause.values + [.integer(Int64(limit))]
        ) { row in
            DonationReceipt.Entry(
                kind: kind, identifierDigest: digest(row.text(at: 0)), rule: rule,
                wasPublic: row.int(at: 1) & 4 != 0)
        }
    }

    /// Deletes rows of a kind, of which `rows` are meant.
    func delete(
        _ clauses: [Clause], _ kind: DonationKind, _ rows: Int
    ) throws(DonationError) {
        guard rows > 0 else { return }
        let total = try tally(kind)
        if rows == total {
            try empty(kind)
        } else if rows > 10_000, total - rows <= min(rows / 10, 10_000) {
            try deleteAllBut(clauses, kind)
        } else {
            for clause in clauses { try deleteRows(clause, kind) }
        }
        count(kind, -rows)
    }

    private func deleteRows(_ clause: Clause, _ kind: DonationKind) throws(DonationError) {
        try dropImages(of: kind, clause)
        try forgetTexts(of: kind, clause)
        try change("DELETE FROM \(kind.table) WHERE \(clause.sql)", values: clause.values)
    }

    /// Deletes all rows of a kind: SQLite gives the pages back without looking at each row.
    private func empty(_ kind: DonationKind) throws(DonationError) {
        try dropImages(of: kind, .all)
        try emptyTexts(of: kind)
        try execute("DELETE FROM \(kind.table)")
    }

    /// Puts the few rows that stay aside, empties the table, and puts them back.
    private func deleteAllBut(_ clauses: [Clause], _ kind: DonationKind) throws(DonationError) {
        let stays = Clause.all.butNot(clauses)
        for clause in clauses { try dropImages(of: kind, clause) }
        let table = kind.table
        try change(
            "CREATE TEMP TABLE aside AS SELECT * FROM main.\(table) WHERE \(stays.sql)",
            values: stays.values)
        try emptyTexts(of: kind)
        try execute(
            "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM temp.aside;"
                + "DROP TABLE temp.aside")
        try addTexts(of: kind, .all)
    }

    // MARK: Scrubbing

    private func findScrubbed(
        _ clauses: DeletionClauses, in receipt: inout DonationReceipt
    ) throws(DonationError) {
        guard let scrubbed = clauses.scrubbed, try tally(.interaction) > 0 else { return }
        receipt.scrubbedCount = try count(scrubbed, .interaction).rows
        receipt.scrubbed = try entries(
            scrubbed, .interaction, .persistentIdentifier, limit: configuration.receiptEntriesMax)
    }

    /// Takes the nested activities out of interactions (A14).
    func scrub(_ clause: Clause) throws(DonationError) {
        while true {
            let rows = try rows(.interaction, clause, limit: 500)
            for var row in rows {
                row.nestedActivity = nil
                try change(
                    "UPDATE interactions SET nested = 0, nested_pid = NULL, body = ?,"
                        + " \(StoreSchema.edited) WHERE id = ?", .blob(row.body),
                    .integer(row.row))
            }
            if rows.count < 500 { return }
        }
    }
}
