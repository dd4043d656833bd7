package import CloudModel

/// One fault: on which requests, how often, and what happens to them.
package struct FaultRule: Sendable, Hashable {
    /// Unique in a plan; also decides the rule's own random numbers.
    package var id: String
    package var operation: FaultOperation
    package var container: Glob?
    package var scope: Database.Scope?
    /// Matches a request that names such a zone; the default zone where none is named.
    package var zone: Glob?
    /// Matches a request that names this record type.
    package var recordType: String?
    /// A user's name on this server; signed and anonymous requests never match.
    package var user: String?
    /// A device that web tokens are given out for; other requests never match.
    package var device: String?
    /// Fires on this match first, counted from 1. Alone: on this one only.
    package var nth: Int?
    /// Fires on every so-manyth match.
    package var every: Int?
    /// Fires at most so often.
    package var times: Int?
    /// Fires on a match with this probability.
    package var probability: Double?
    package var action: FaultAction

    /// A rule that fires on every request of the operation.
    package init(id: String, _ operation: FaultOperation, _ action: FaultAction) {
        self.id = id
        self.operation = operation
        self.action = action
    }

    /// The most firings: one for a bare `nth`, without bound when nothing limits them.
    package var timesMax: Int {
        times ?? (nth != nil && every == nil && probability == nil ? 1 : .max)
    }

    /// Whether the match of this number, counted from 1, is one to fire on, chance aside.
    package func selects(match number: Int) -> Bool {
        let first = nth ?? every ?? 1
        guard number >= first else { return false }
        return (number - first) % (every ?? 1) == 0
    }
}

/// Why a fault rule is refused.
package struct FaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for people.
    package let reason: String
    /// A legal form near the refused one.
    package let suggestion: String?
    /// Where in the text form, counted from 1.
    package let column: Int?

    package init(_ reason: String, suggestion: String? = nil, column: Int? = nil) {
        self.reason = reason
        self.suggestion = suggestion
        self.column = column
    }

    package var description: String {
        var text = column.map { "column \($0): " } ?? ""
        text += reason
        if let suggestion { text += "; nearest legal form: \(suggestion)" }
        return text
    }
}
