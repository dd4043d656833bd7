package import Basics
package import Donations

/// The exchange of donations between a user's devices, in the app's own zone: opt-in.
///
/// What the app and the user do about it, each in the transaction of the act.
package enum Exchange {
    /// Journals a deletion that is to act on all devices. Called in the transaction of the local
    /// deletion (R12), also while uploading is off (R13); does nothing for selectors that do
    /// not travel, nor on a device that takes no part in the exchange.
    package static func noteDeletion<Storage: SyncStorage>(
        _ selector: DonationSelector, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {
        var facts = try storage.exchange()
        guard facts.isOn || facts.incarnation != nil else { return }
        for part in selector.travelling {
            facts.sequence += 1
            try storage.addOwnDeletion(
                OwnDeletion(sequence: facts.sequence, selector: part, at: now))
        }
        try storage.setExchange(facts)
    }

    /// The deletions that a storage knows, to be asked before rows are made again from content
    /// alone: ``ExchangeKnowledge/forbidsRevival(of:)``.
    package static func knowledge<Storage: SyncStorage>(
        _ storage: Storage, digest: SyncDigest
    ) throws(Storage.Failure) -> ExchangeKnowledge {
        let facts = try storage.exchange()
        return ExchangeKnowledge(
            try storage.deletions(), own: try storage.ownDeletions(limit: .max),
            ExchangeKeys(key: facts.zoneKey ?? [], digest: digest))
    }

    /// Switches the exchange of donations on or off: the user's act. Switched on again, all that
    /// was not taken meanwhile is read.
    package static func setOn<Storage: SyncStorage>(
        _ isOn: Bool, includesItems: Bool = false, _ storage: inout Storage
    ) throws(Storage.Failure) {
        var facts = try storage.exchange()
        if isOn, !facts.isOn || includesItems && !facts.includesItems { facts.beginScan() }
        facts.isOn = isOn
        facts.includesItems = includesItems
        try storage.setExchange(facts)
    }

    /// Takes the caller's words out of the deletions that wait to be sent, because everything is
    /// erased: in the zone's place only their digests are kept, which say the same to it.
    ///
    /// Before this device has a zone there is no key to make digests with: then deletions that name
    /// something are dropped, and only those that name nothing wait on.
    package static func eraseWords<Storage: SyncStorage>(
        _ storage: inout Storage, digest: SyncDigest
    ) throws(Storage.Failure) {
        var facts = try storage.exchange()
        let own = try storage.ownDeletions(limit: .max)
        guard !own.isEmpty else { return }
        let keys = facts.zoneKey.map { ExchangeKeys(key: $0, digest: digest) }
        try storage.removeOwnDeletions()
        var kept: Int64 = 0
        for var deletion in own {
            let digests: ExchangeSelector? =
                switch deletion.words {
                case .selector(let selector):
                    ExchangeSelector(selector, keys ?? .blank)
                case .digests(let digests): digests
                }
            guard let digests, keys != nil || digests.namesNothing else { continue }
            kept += 1
            deletion.words = .digests(digests)
            // Without a zone no number was used yet: they begin at 1, without a gap.
            if keys == nil { deletion.sequence = kept }
            try storage.addOwnDeletion(deletion)
        }
        guard keys == nil else { return }
        facts.sequence = kept
        try storage.setExchange(facts)
    }
}

extension ExchangeSelector {
    /// Whether it holds no digest.
    fileprivate var namesNothing: Bool { keys.isEmpty && indexKey == nil }
}

extension DonationSelector {
    /// The selectors that travel in its place: none when it means nothing to other devices,
    /// several when it names very much.
    fileprivate var travelling: [DonationSelector] {
        func parts(_ names: [String], _ make: ([String]) -> DonationSelector) -> [DonationSelector]
        {
            stride(from: 0, to: names.count, by: SyncDeletion.keysMax).map {
                make(Array(names[$0..<min(names.count, $0 + SyncDeletion.keysMax)]))
            }
        }
        let all: [DonationSelector] =
            switch self {
            case .interactions(let names): parts(names) { .interactions(identifiers: $0) }
            case .activities(let names): parts(names) { .activities(persistentIdentifiers: $0) }
            case .searchableItems(let names, let index):
                parts(names) { .searchableItems(identifiers: $0, indexName: index) }
            case .searchableDomains(let names, let index):
                parts(names) { .searchableDomains($0, indexName: index) }
            case .appIntents(let names): parts(names) { .appIntents(identifiers: $0) }
            case .appEntities(let type, .some(let names)):
                parts(names) { .appEntities(type: type, identifiers: $0) }
            default: [self]
            }
        return all.filter { ExchangeSelector($0, .blank) != nil }
    }
}
