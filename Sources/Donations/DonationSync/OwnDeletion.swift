package import Basics
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
