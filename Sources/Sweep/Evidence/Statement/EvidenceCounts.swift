/// What lay in a place and what became of it, in numbers: found = deleted + already gone + kept + left +
/// failed.
package struct EvidenceCounts: Sendable, Hashable {
    package var found = 0
    /// What the approved plan named, but for what a later rule kept.
    package var planned = 0
    package var deleted = 0
    package var alreadyGone = 0
    package var kept = 0
    /// Still seen by the last look.
    package var left = 0
    package var failed = 0

    package init() {}

    private static let fields:
        [(
            String, any WritableKeyPath<EvidenceCounts, Int> & Sendable
        )] = [
            ("alreadyGone", \.alreadyGone), ("deleted", \.deleted), ("failed", \.failed),
            ("found", \.found), ("kept", \.kept), ("left", \.left), ("planned", \.planned),
        ]

    static func + (left: EvidenceCounts, right: EvidenceCounts) -> EvidenceCounts {
        var sum = left
        for (_, field) in fields {
            sum[keyPath: field] = left[keyPath: field].clampedSum(right[keyPath: field])
        }
        return sum
    }

    /// Whether every number can stand in evidence, so that those of one row can be added.
    var isWithinBounds: Bool {
        Self.fields.allSatisfy { (0...Int(CanonicalValue.integerMax)) ~= self[keyPath: $0.1] }
    }

    var members: [(String, CanonicalValue)] {
        Self.fields.map { ($0.0, .number(Int64(self[keyPath: $0.1]))) }
    }

    init(_ members: inout Members) throws(EvidenceError) {
        for (name, field) in Self.fields { self[keyPath: field] = try members.count(name) }
    }
}

extension Int {
    /// The sum, or the largest number where there is none: a statement whose numbers have no sum is read like
    /// any other, and what it says of the sum is then wrong.
    func clampedSum(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
