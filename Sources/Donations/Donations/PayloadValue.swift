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
    /// 16 bytes; fewer are filled up with zeros, more are cut.
    case uuid([UInt8])
    case array([PayloadValue])
    /// Written in the order of the elements' bytes, equal ones once.
    case set([PayloadValue])
    /// Written in the order of the keys' bytes; of equal keys the last counts.
    case dictionary([(key: PayloadValue, value: PayloadValue)])

    /// Levels of arrays, sets and dictionaries inside each other that are stored.
    package static let depthMax = 64
}

extension PayloadValue: Hashable {
    package static func == (left: PayloadValue, right: PayloadValue) -> Bool {
        left.encoded == right.encoded
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension PayloadValue {
    /// A dictionary with text keys.
    package static func dictionary(_ pairs: [String: PayloadValue]) -> PayloadValue {
        .dictionary(pairs.map { (key: .string($0.key), value: $0.value) })
    }

    /// The value of a key of a dictionary; nil: there is none, or this is no dictionary.
    package subscript(key: String) -> PayloadValue? {
        guard case .dictionary(let pairs) = self else { return nil }
        return pairs.last { pair in
            if case .string(let name) = pair.key { name.isSame(as: key) } else { false }
        }?.value
    }

    /// The text, or nil for any other kind.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The integer, or nil for any other kind.
    package var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The texts of an array or a set, other elements left out; nil for any other kind.
    package var texts: [String]? {
        switch self {
        case .array(let values), .set(let values): values.compactMap(\.text)
        default: nil
        }
    }

    /// What two activities are compared by: the entries of the required keys, all when nil.
    ///
    /// - Returns: The canonical bytes of the dictionary that has those keys only.
    package func equalityKey(requiredKeys: Set<String>?) -> [UInt8] {
        pruned(to: requiredKeys).encoded
    }

    /// This dictionary with those keys only; all when nil. Keys that are no texts are kept only
    /// without required keys.
    package func pruned(to requiredKeys: Set<String>?) -> PayloadValue {
        guard let requiredKeys, case .dictionary(let pairs) = self else { return self }
        return .dictionary(
            pairs.filter { pair in
                guard case .string(let name) = pair.key else { return false }
                return requiredKeys.contains { $0.isSame(as: name) }
            })
    }

    /// Every text inside, keys left out, as it stands: for finding who is mentioned.
    package var strings: [String] {
        switch self {
        case .string(let text), .url(let text): [text]
        case .array(let values), .set(let values): values.flatMap(\.strings)
        case .dictionary(let pairs): pairs.flatMap(\.value.strings)
        case .null, .bool, .integer, .double, .data, .date, .uuid: []
        }
    }

    /// Whether more levels lie inside each other than are stored.
    package var isTooDeep: Bool { isDeeper(than: Self.depthMax) }

    private func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .array(let values), .set(let values):
            levels == 0 || values.contains { $0.isDeeper(than: levels - 1) }
        case .dictionary(let pairs):
            levels == 0
                || pairs.contains {
                    $0.key.isDeeper(than: levels - 1) || $0.value.isDeeper(than: levels - 1)
                }
        default: false
        }
    }
}
