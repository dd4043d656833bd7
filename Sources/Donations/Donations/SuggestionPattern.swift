/// What donations have in common when one is a repetition of another.
///
/// A user activity has one pattern: its type and the values under its required keys. An
/// interaction has one for each parameter combination that its intent declares and that it fills
/// in. Values that are no part of a pattern, such as a scroll position, do not hide a repetition.
package struct SuggestionPattern: Sendable, Hashable {
    /// One value that must be equal.
    package struct Value: Sendable, Hashable {
        package let name: String
        /// In canonical encoding: equal values have equal bytes.
        package let bytes: [UInt8]

        package init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The activity type or the intent's class; patterns of two families never meet.
    package let family: String
    /// Each name once, sorted.
    package let values: [Value]

    /// - Parameter values: In any order. Of two values with one name the last counts.
    package init(family: String, values: [Value]) {
        self.family = family
        let named = Dictionary(values.map { ($0.name, $0) }) { $1 }
        self.values = named.values.sorted { $0.name < $1.name }
    }

    /// The patterns of an interaction: one for each combination whose parameters all have a
    /// value. An intent that declares no combination counts as a whole.
    package static func split(
        family: String, values: [Value], combinations: [Set<String>]
    ) -> [SuggestionPattern] {
        guard !combinations.isEmpty else {
            return [SuggestionPattern(family: family, values: values)]
        }
        let names = Set(values.map { $0.name })
        var seen: Set<Set<String>> = []
        return combinations.compactMap { combination in
            guard combination.isSubset(of: names), seen.insert(combination).inserted else {
                return nil
            }
            return SuggestionPattern(
                family: family, values: values.filter { combination.contains($0.name) })
        }
    }

    /// How specific the pattern is: how many values must be equal.
    package var specificity: Int { values.count }

    /// Whether the pattern says all that `other` says, and more.
    package func specialises(_ other: SuggestionPattern) -> Bool {
        guard family == other.family, specificity > other.specificity else { return false }
        // Both are sorted by name.
        var rest = values[...]
        return other.values.allSatisfy { value in
            while let own = rest.popFirst() {
                if own.name == value.name { return own == value }
            }
            return false
        }
    }

    /// Family and values, each with its length before it: different patterns, different bytes.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ part: some Collection<UInt8>) {
            let count = UInt32(truncatingIfNeeded: part.count)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
            bytes += part
        }
        append(family.utf8)
        for value in values {
            append(value.name.utf8)
            append(value.bytes)
        }
        return bytes
    }
}

extension SuggestionPattern: Comparable {
    package static func < (left: SuggestionPattern, right: SuggestionPattern) -> Bool {
        left.canonicalBytes.lexicographicallyPrecedes(right.canonicalBytes)
    }
}
