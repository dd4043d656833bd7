package import CloudModel
package import Donations

/// A deletion made here that no zone has yet. Its words never leave the storage.
package struct OwnDeletion: Sendable, Hashable {
    /// What is to be deleted on the other devices.
    package enum Words: Sendable, Hashable {
        /// The caller's own words: the zone's key may not be known yet.
        case selector(DonationSelector)
        /// Digests under the zone's key: the caller's words were erased.
        case digests(ExchangeSelector)
    }

    /// Its number among the deletions of this device.
    package var sequence: Int64
    package var words: Words
    package var at: Timestamp

    /// A deletion that is to be sent.
    package init(sequence: Int64, words: Words, at: Timestamp) {
        self.sequence = sequence
        self.words = words
        self.at = at
    }

    /// A deletion that is to be sent, in the caller's own words.
    package init(sequence: Int64, selector: DonationSelector, at: Timestamp) {
        self.init(sequence: sequence, words: .selector(selector), at: at)
    }
}

extension OwnDeletion.Words: Codable {
    private enum Key: String, CodingKey { case digests }

    /// Reads what ``encode(to:)`` wrote.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self =
            container.contains(.digests)
            ? .digests(try container.decode(ExchangeSelector.self, forKey: .digests))
            : .selector(try DonationSelector(from: decoder))
    }

    /// Writes a selector as itself, and digests under a key that no selector has.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .selector(let selector): try selector.encode(to: encoder)
        case .digests(let digests):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(digests, forKey: .digests)
        }
    }
}

extension Exchange {
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
