/// A value of an activity's `userInfo` or of an intent's parameter: what property lists hold, and
/// UUIDs.
///
/// Equality and hashing go by the canonical encoding, so that two values are equal exactly when
/// their bytes are (see ``encoded``).
package enum PayloadValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case data([UInt8])
    /// Seconds since the first instant of 2001, as Foundation counts.
    case date(Double)
    case url(String)
    /// 16 bytes.
    case uuid([UInt8])
    case array([PayloadValue])
    /// Written in the order of the elements' bytes, equal ones once.
    case set([PayloadValue])
    /// Written in the order of the keys' bytes; of equal keys the last counts.
    case dictionary([(key: PayloadValue, value: PayloadValue)])
}

extension PayloadValue: Hashable {
    package static func == (left: PayloadValue, right: PayloadValue) -> Bool {
        left.encoded == right.encoded
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension PayloadValue {
    /// Why bytes are no payload.
    package enum DecodingFailure: Error, Hashable, Sendable {
        /// They end too early.
        case truncated
        /// Something follows the value.
        case trailingBytes
        /// A kind of value that is not known.
        case unknownTag(UInt8)
        /// A text is not UTF-8.
        case notText
        /// More levels than ``depthMax``.
        case tooDeep
        /// The order or the form is not the canonical one.
        case notCanonical
    }

    /// Levels of arrays, sets and dictionaries inside each other.
    package static let depthMax = 64

    /// The canonical bytes: the same value gives the same bytes, everywhere and always.
    package var encoded: [UInt8] {
        preconditionFailure("not yet")
    }

    /// Reads canonical bytes.
    package init(decoding bytes: [UInt8]) throws(DecodingFailure) {
        preconditionFailure("not yet")
    }

    /// How many bytes the canonical encoding has.
    package var encodedSize: Int { encoded.count }

    /// A dictionary with text keys.
    package static func dictionary(_ pairs: [String: PayloadValue]) -> PayloadValue {
        .dictionary(pairs.map { (key: .string($0.key), value: $0.value) })
    }

    /// The value of a key of a dictionary; nil: there is none, or this is no dictionary.
    package subscript(key: String) -> PayloadValue? {
        preconditionFailure("not yet")
    }

    /// What two activities are compared by: the entries of the required keys, all when nil.
    ///
    /// - Returns: The canonical bytes of the dictionary that has those keys only.
    package func equalityKey(requiredKeys: Set<String>?) -> [UInt8] {
        preconditionFailure("not yet")
    }

    /// This dictionary with those keys only; all when nil.
    package func pruned(to requiredKeys: Set<String>?) -> PayloadValue {
        preconditionFailure("not yet")
    }

    /// Every text inside, keys left out, as it stands: for finding who is mentioned.
    package var strings: [String] {
        preconditionFailure("not yet")
    }
}
