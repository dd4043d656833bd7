package import Basics
package import CloudModel
import CloudWire

/// One fault: on which requests, how often, and what happens to them.
package struct FaultRule: Sendable, Hashable {
    /// Unique in a plan; also decides the rule's own random numbers.
    package var id: String
    package let action: FaultAction
    package let operation: FaultOperation
    /// The operations that the action has a meaning for, and those of them that the rule is about.
    let legal: [String]
    let paths: [String]
    /// What it was given; each is legal, and they go together.
    let values: [FaultParameter: FaultValue]

    /// Makes a rule of what was read.
    ///
    /// - Throws: ``FaultError`` when it can never fire, with the reason and the nearest legal form.
    init(
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
    /// Which of the items that a request names it is about; it matches a request that names one.
    package let itemFilter: ItemFilter
    /// A user's name on this server; signed and anonymous requests never match.
    package var user: String? { text(.user) }
    /// A device that web tokens are given out for; other requests never match.
    package var device: String? { text(.device) }
    /// Fires on this match first, counted from 1. Alone: on this one only.
    package var nth: Int? { whole(.nth) }
    /// Fires on every so-manyth match.
    package var every: Int? { whole(.every) }
    /// Fires at most so often.
    package var times: Int? { whole(.times) }
    /// Fires on a match with this probability.
    package var probability: Double? { number(.probability) }

    /// How long after it was set it comes into force, on the server's clock.
    package var after: Duration { duration(.after) ?? .zero }
    /// How long after it was set it is in force no more; nil: as long as it is set.
    package var until: Duration? { duration(.until) }
    /// Whether a reset takes it away.
    package var endsAtReset: Bool { text(.until) == Self.reset }
    /// How far back a page of a feed is.
    package var age: Duration? { duration(.age) }
    /// The gate it holds requests at, and where.
    package var hold: GateHold? {
        guard action == .hold, let gate = text(.gate) else { return nil }
        return GateHold(
            gate: gate, point: text(.point).flatMap { GatePoint(rawValue: $0) } ?? .received,
            deadline: duration(.deadline) ?? GateHold.deadlineStandard)
    }

    /// Whether a request that names such a zone finds it deleted.
    func losesZone(named name: String) -> Bool {
        !RecordZone.ID(name).isDefault && zone?.matches(name) ?? true
    }

    /// What the items or requests that it makes fail are answered with.
    func error(signInURL: String) -> CloudError {
        let code = text(.code).flatMap { CloudError.Code(rawValue: $0) } ?? .internalError
        return CloudError(
            code, reason: text(.reason) ?? "injected fault",
            retryAfter: number(.retryAfter).map { .milliseconds(Int64(($0 * 1000).rounded())) },
            redirectURL: code == .authenticationRequired ? signInURL : nil
        ).by(fault: id)
    }

    /// The parts of an answer that it is about.
    var items: FaultItems {
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

    /// A time that is given in seconds.
    private func duration(_ parameter: FaultParameter) -> Duration? {
        number(parameter).map { .milliseconds(Int64(($0 * 1000).rounded())) }
    }

    func whole(_ parameter: FaultParameter) -> Int? { number(parameter).map { Int($0) } }

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

/// Which parts of an answer a fault is about.
package struct FaultItems: Sendable, Hashable {
    /// What is counted.
    package enum Unit: Sendable {
        /// What the answer lists: zones, records, subscriptions; of `changes/zone` its zones.
        case items
        /// The records in the pages of `changes/zone` or of a batch of queries, through all of them.
        case records
    }

    /// How many of the first; nil: all.
    package let count: Int?
    package let unit: Unit
}
