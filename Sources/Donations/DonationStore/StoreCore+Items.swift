import DonationSync
import Donations
import SQLite

extension StoreCore {
    /// Adds or changes items of the index.
    ///
    /// - Parameter rebuilt: Those that are only offered because somebody asked for them again.
    func index(
        _ items: [(item: Donation, write: DonationStore.ItemWrite)], rebuilt: Set<String> = []
    ) throws(DonationError) -> [DonationOutcome] {
        guard items.count <= DonationLimits.rowsMax else {
            throw DonationError(.invalid, "too many items in one call")
        }
        let deletions = rebuilt.isEmpty ? nil : try StoreSync(self).knowledge()
        func index(
            _ item: Donation, _ write: DonationStore.ItemWrite
        ) throws(DonationError) -> DonationOutcome {
            try self.index(
                item, write, knowing: rebuilt.contains(item.identifier) ? deletions : nil)
        }
        if items.count == 1 { return [try index(items[0].item, items[0].write)] }
        return try addingTextsTogether { () throws(DonationError) in
            var outcomes: [DonationOutcome] = []
            for (item, write) in items { outcomes.append(try index(item, write)) }
            return outcomes
        }
    }

    /// - Parameter deletions: Those that an item must not come back from; nil: its app indexes it
    ///   by itself, and has the right to.
    private func index(
        _ item: Donation, _ write: DonationStore.ItemWrite, knowing deletions: ExchangeKnowledge?
    ) throws(DonationError) -> DonationOutcome {
        guard item.kind == .searchableItem else {
            throw DonationError(.invalid, "a \(item.kind) is no item of the index")
        }
        var row = try item.normalised()
        row.donatedAt = now
        if let refusal = try refusal(of: row) { return refusal }
        let old = try self.row(.searchableItem, "identifier", row.identifier)
        if old == nil, let deletions, deletions.forbidsRevival(of: row) {
            return try refuse(.refusedDeleted, row)
        }
        if let old, write == .update { row = old.updated(with: row) }
        if row.expiration == nil { row.expiration = now.advanced(by: configuration.itemLifetime) }
        try put(row, replacing: old)
        if old == nil { try unpark(row) }
        return old == nil ? .stored : .replaced
    }

    // MARK: Batches

    /// Carries out a batch and keeps the client state with it.
    func end(
        _ batch: ItemBatch, clientState: [UInt8], expected: [UInt8]??
    ) throws(DonationError) {
        guard clientState.count <= DonationLimits.clientStateBytesMax else {
            throw DonationError(.clientStateTooLong, "a client state has at most 250 bytes")
        }
        guard let steps = batch.take() else {
            throw DonationError(.batch, "the batch has ended already")
        }
        if let expected, try self.clientState(batch.indexName) ?? [] != expected ?? [] {
            throw DonationError(.clientStateMismatch, "the client state has changed")
        }
        for step in steps {
            switch step {
            case .index(let items, let rebuilt): _ = try index(items, rebuilt: rebuilt)
            case .delete(let names):
                _ = try delete(
                    .searchableItems(identifiers: names, indexName: batch.indexName),
                    scope: .everywhere)
            }
        }
        try change(
            "INSERT OR REPLACE INTO client_states VALUES (?, ?)", .text(batch.indexName ?? ""),
            .blob(clientState))
    }

    /// The client state of an index; nil: there is none.
    func clientState(_ indexName: String?) throws(DonationError) -> [UInt8]? {
        try read(
            "SELECT state FROM client_states WHERE name = ?", .text(indexName ?? "")
        ) { $0.bytes(at: 0) }.first
    }

    /// Makes an index equal to what is offered.
    func rebuild(indexName: String?, items: [Donation]) throws(DonationError) -> DonationReceipt {
        let deletions = try StoreSync(self).knowledge()
        for var item in items {
            item.indexName = indexName
            _ = try index(item, .replace, knowing: deletions)
        }
        try load(items.map(\.identifier))
        let inIndex =
            indexName.map { Clause("index_name = ?", .text($0)) } ?? Clause("index_name IS NULL")
        let gone = try names(
            .searchableItem, inIndex.and(Clause("identifier NOT IN (SELECT key FROM temp.keys)")))
        // An index that is built anew is no act of the person: other devices keep theirs.
        return try delete(
            .searchableItems(identifiers: gone, indexName: indexName), scope: .thisDevice)
    }

    /// The identifiers of the rows of a kind that a selector means.
    func names(
        _ kind: DonationKind, meantBy selector: DonationSelector
    ) throws(DonationError) -> [String] {
        let clauses = DeletionClauses(selector)
        try load(clauses.keys)
        var all: [String] = []
        var before: [Clause] = []
        for part in clauses.parts(kind) {
            all += try names(kind, part.clause.butNot(before))
            before.append(part.clause)
        }
        return all
    }

    private func names(_ kind: DonationKind, _ clause: Clause) throws(DonationError) -> [String] {
        try texts(
            "SELECT identifier FROM \(kind.table) WHERE \(clause.sql) ORDER BY id",
            values: clause.values)
    }
}

extension Donation {
    /// This item with what another one names: attributes that are null there go, what it does not
    /// name stays. The texts that are searched are those of the attributes with these names.
    fileprivate func updated(with new: Donation) -> Donation {
        var merged = new
        merged.domain = new.domain ?? domain
        merged.expiration = new.expiration ?? expiration
        merged.protectionClass = new.protectionClass ?? protectionClass
        merged.entityType = new.entityType ?? entityType
        merged.entityIdentifier = new.entityIdentifier ?? entityIdentifier
        merged.link = new.link ?? link
        var attributes = pairs(payload)
        for (key, value) in pairs(new.payload) {
            attributes[key] = value == .null ? nil : value
        }
        merged.payload =
            PayloadValue.dictionary(
                attributes.map { (key: $0.key, value: $0.value) }
            ).encoded
        let texts = ItemAttributes(payload: merged.payload)
        merged.title = texts.title ?? new.title
        merged.displayName = texts.displayName ?? new.displayName
        merged.description = texts.description ?? new.description
        merged.keywords = texts.keywords.isEmpty ? new.keywords : texts.keywords
        merged.mentions = texts.mentions
        merged.numbers = numbers.merging(new.numbers) { $1 }
        merged.numbers["rankingHint"] = texts.rankingHint
        return merged
    }

    private func pairs(_ payload: [UInt8]) -> [PayloadValue: PayloadValue] {
        guard let value = try? PayloadValue(decoding: payload), case .dictionary(let all) = value
        else { return [:] }
        return Dictionary(all.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
}
