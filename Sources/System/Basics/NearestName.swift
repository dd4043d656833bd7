/// Finds what somebody meant to type.
package enum NearestName {
    /// The candidate with the fewest edits to `typed`; nil when none is near.
    package static func find(_ typed: String, among candidates: some Sequence<String>) -> String? {
        let lowered = typed.lowercased()
        guard lowered.utf8.count <= 128 else { return nil }
        let reach = max(1, min(3, lowered.count / 3))
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= 256 {
            let other = candidate.lowercased()
            var distance = edits(from: Array(lowered), to: Array(other))
            if distance > reach, lowered.count >= 3, other.hasPrefix(lowered) { distance = reach }
            if distance <= reach, distance < (best?.distance ?? .max) {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// The candidate with the fewest edits to `typed`, however many; the first of equals. nil only
    /// when there is no candidate. Words beyond 200 characters are cut.
    package static func closest(to typed: String, among candidates: [String]) -> String? {
        let word = Array(typed.prefix(200))
        return candidates.map { (edits(from: word, to: Array($0.prefix(200))), $0) }
            .min { $0.0 < $1.0 }?.1
    }

    /// `; did you mean "plan"?`, or nothing.
    package static func hint(for typed: String, among candidates: some Sequence<String>) -> String {
        find(typed, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Insertions, removals, replacements and swaps of neighbours (Damerau–Levenshtein).
    package static func edits(from left: [Character], to right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                let replaced = last[column] + (character == other ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
