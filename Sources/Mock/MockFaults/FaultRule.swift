package import Basics
package import CloudModel
import CloudWire

/// One fault: on which requests, how often, and what happens to them.
package struct FaultRule: Sendable, Hashable {
    /// Unique in a plan; also decides the rule's own random numbers.
    package var id: String
    package let action: FaultAction
    package let operation: FaultOperation
    /// The operations for which the action has a meaning, and those of them that the rule matches.
    let legal: [String]
    let paths: [String]
    /// Its parameters: each is valid, and they do not contradict each other.
    package let values: [FaultParameter: FaultValue]

    /// Creates a rule from parsed values.
    ///
    /// - Throws: ``FaultError`` when it can never fire, with the reason and the nearest legal form.
    package init(
        id: String, _ action: FaultAction, _ values: [FaultParameter: FaultValue]
    ) throws(FaultError) {
        guard (1...100).contains(id.utf8.count) else {
            throw FaultError("a fault's id has 1 to 100 characters")
        }
        self.id = id
        self.action = action
        operation = FaultOperation(values[.operation]?.text() ?? "") ?? .any
        let (all, needed) = action.parameters
        if let missing = needed.first(where: { values[$0] == nil }) {
            throw FaultError(
                "\(action) needs \"\(missing.facts.name)\"", suggestion: action.form.example)
        }
        var values = values
        values[.operation] = .text(operation.description)
        // All items by default.
        if all.contains(.items), values[.items] == nil, values[.records] == nil {
            values[.items] = .number(.infinity)
        }
        self.values = values
        itemFilter = ItemFilter(
            zone: values[.zone].map { Glob($0.text()) },
            record: values[.record].map { Glob($0.text()) },
            change: values[.change].flatMap { ItemChange(rawValue: $0.text()) })
        legal = action.operations(countsRecords: values[.records] != nil)
        paths = operation.selected.filter(legal.contains)
        try check()
    }

    package var container: Glob? { text(.container).map { Glob($0) } }
    package var scope: Database.Scope? { text(.scope).flatMap { Database.Scope(rawValue: $0) } }
    /// Matches a request that names such a zone, the default zone where none is named; where items are
    /// concerned, those of other zones are not.
    package var zone: Glob? { itemFilter.zone }
    /// Matches a request that names this record type.
    package var recordType: String? { text(.recordType) }
    /// The items that it changes; it matches a request that names one.
    package let itemFilter: ItemFilter
    /// A user's name on this server; signed and anonymous requests never match.
    package var user: String? { text(.user) }
    /// The device of a web token; other requests never match.
    package var device: String? { text(.device) }
    /// Fires on this match first, counted from 1. Alone: on this one only.
    package var nth: Int? { whole(.nth) }
    /// Fires on each third match if 3, beginning with `nth`, or else with the third.
    package var every: Int? { whole(.every) }
    /// Fires at most this number of times.
    package var times: Int? { whole(.times) }
    /// Fires on a match with this probability.
    package var probability: Double? { number(.probability) }

    /// How long after it was set it becomes active, on the server's clock.
    package var after: Duration { duration(.after) ?? .zero }
    /// How long after it was set it ends; nil: as long as it is set.
    package var until: Duration? { duration(.until) }
    /// Whether a reset removes it.
    package var endsAtReset: Bool { text(.until) == Self.reset }
    /// The age of a page of a feed.
    package var age: Duration? { duration(.age) }
    /// The gate at which it holds requests, and at which point.
    package var hold: GateHold? {
        guard action == .hold, let gate = text(.gate) else { return nil }
        return GateHold(
            gate: gate, point: text(.point).flatMap { GatePoint(rawValue: $0) } ?? .received,
            deadline: duration(.deadline) ?? GateHold.deadlineStandard)
    }

    /// Whether a request that names such a zone finds it deleted.
    package func losesZone(named name: String) -> Bool {
        !RecordZone.ID(name).isDefault && zone?.matches(name) ?? true
    }

    /// The error of the items or requests that fail.
    package func error(signInURL: String) -> CloudError {
        let code = text(.code).flatMap { CloudError.Code(rawValue: $0) } ?? .internalError
        return CloudError(
            code, reason: text(.reason) ?? "injected fault",
            retryAfter: number(.retryAfter).map { .milliseconds(Int64(($0 * 1000).rounded())) },
            redirectURL: code == .authenticationRequired ? signInURL : nil
        ).by(fault: id)
    }

    /// The parts of a response that it changes.
    package var items: FaultItems {
        let count = number(.records) ?? number(.items) ?? .infinity
        return FaultItems(
            count: count == .infinity ? nil : Int(count),
            unit: number(.records) == nil ? .items : .records)
    }

    func text(_ parameter: FaultParameter) -> String? {
        values[parameter]?.text(unit: parameter.facts.unit)
    }

    func number(_ parameter: FaultParameter) -> Double? {
        if case .number(let number)? = values[parameter] { number } else { nil }
    }

    /// A duration in seconds.
    private func duration(_ parameter: FaultParameter) -> Duration? {
        number(parameter).map { .milliseconds(Int64(($0 * 1000).rounded())) }
    }

    package func whole(_ parameter: FaultParameter) -> Int? { number(parameter).map { Int($0) } }

    /// The most firings: one for a bare `nth`, without bound when nothing limits them.
    package var timesMax: Int {
        times ?? (nth != nil && every == nil && probability == nil ? 1 : .max)
    }

    /// Whether it fires on the match of this number, from 1, before its probability.
    package func selects(match number: Int) -> Bool {
        let first = nth ?? every ?? 1
        guard number >= first else { return false }
        return (number - first) % (every ?? 1) == 0
    }
}

/// The parts of a response that a fault changes.
package struct FaultItems: Sendable, Hashable {
    /// The unit of the count.
    package enum Unit: Sendable {
        /// The items of the response: zones, records, subscriptions; of `changes/zone` its zones.
        case items
        /// The records in the pages of `changes/zone` or of a batch of queries, through all of them.
        case records
    }

    /// How many of the first; nil: all.
    package let count: Int?
    package let unit: Unit
}
