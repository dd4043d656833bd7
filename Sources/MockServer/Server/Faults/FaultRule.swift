package import CloudModel
import CloudWire

/// One fault: on which requests, how often, and what happens to them.
package struct FaultRule: Sendable, Hashable {
    /// Unique in a plan; also decides the rule's own random numbers.
    package var id: String
    package let action: FaultAction
    package let operation: FaultOperation
    /// The operations that the action has a meaning for, and those of them that the rule is about.
    private let legal: [String]
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
        // All items, where nothing else is said.
        if all.contains(.items), values[.items] == nil, values[.records] == nil {
            values[.items] = .number(.infinity)
        }
        self.values = values
        legal = action.operations(countsRecords: values[.records] != nil)
        paths = operation.selected.filter(legal.contains)
        try check()
    }

    package var container: Glob? { text(.container).map { Glob($0) } }
    package var scope: Database.Scope? { text(.scope).flatMap { Database.Scope(rawValue: $0) } }
    /// Matches a request that names such a zone, the default zone where none is named; where items are
    /// concerned, those of other zones are not.
    package var zone: Glob? { text(.zone).map { Glob($0) } }
    /// Matches a request that names this record type.
    package var recordType: String? { text(.recordType) }
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

    /// What the items or requests that it makes fail are answered with.
    func error(signInURL: String) -> CloudError {
        let code = text(.code).flatMap { CloudError.Code(rawValue: $0) } ?? .internalError
        return CloudError(
            code, reason: text(.reason) ?? "injected fault",
            retryAfter: number(.retryAfter).map { .milliseconds(Int64(($0 * 1000).rounded())) },
            redirectURL: code == .authenticationRequired ? signInURL : nil)
    }

    /// The parts of an answer that it is about.
    var items: FaultItems {
        let count = number(.records) ?? number(.items) ?? .infinity
        return FaultItems(
            count: count == .infinity ? nil : Int(count),
            unit: number(.records) == nil ? .items : .records)
    }

    func text(_ parameter: FaultParameter) -> String? { values[parameter]?.text() }

    func number(_ parameter: FaultParameter) -> Double? {
        if case .number(let number)? = values[parameter] { number } else { nil }
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

    /// Refuses a rule that is about none of the containers served; nil: any is.
    package func check(containers: [Container.ID]?) throws(FaultError) {
        guard let container, let containers,
            !containers.contains(where: { container.matches($0.rawValue) })
        else { return }
        throw FaultError(
            "no container served matches \(container)",
            suggestion: NearestName.closest(
                to: container.pattern, among: containers.map(\.rawValue)))
    }

    /// Refuses a rule whose parts do not go together.
    private func check() throws(FaultError) {
        guard !paths.isEmpty else {
            throw FaultError(
                "\(action) has no meaning for \(operation)",
                suggestion: legal[0] + " -> " + actionText)
        }
        if zone != nil, paths.allSatisfy(Self.zoneless.contains) {
            throw FaultError(
                "\(operation) names no zone, so #\(zone?.pattern ?? "") never matches",
                suggestion: "\(operation) -> \(actionText)")
        }
        if recordType != nil, !paths.contains(where: Self.typed.contains) {
            throw FaultError(
                "\(operation) names no record type",
                suggestion: "records/query type=\(recordType ?? "") -> \(actionText)")
        }
        if scope == .public, let zone, !zone.matches("_defaultZone") {
            throw FaultError(
                "the public database has the zone _defaultZone only", suggestion: "#_defaultZone")
        }
        if scope ?? .private != .private,
            action == .recreateZone || paths.allSatisfy(Self.privateOnly.contains)
        {
            throw FaultError(
                "\(operation) -> \(actionText) works in the private database only",
                suggestion: "/private")
        }
        if scope == .public,
            action == .staleZoneList
                || Self.ofAnswers.contains(action) && paths.allSatisfy(Self.neverPublic.contains)
        {
            throw FaultError(
                "the public database has no such list, so \(actionText) never happens",
                suggestion: "/private")
        }
        if action == .repeatPage, timesMax == .max,
            probability.map({ $0 == 1 }) ?? (every ?? 1 == 1)
        {
            throw FaultError(
                "a page that always comes again never ends",
                suggestion: "\(operation) times=1 -> repeat page")
        }
    }

    private static let zoneless =
        FaultOperation.paths { !$0.names.contains(.zone) }
        + WireTransfer.allCases.map(\.rawValue)
    private static let typed = FaultOperation.paths { $0.names.contains(.recordType) }
    /// What changes an answer, once there is one.
    private static let ofAnswers: Set<FaultAction> = [
        .emptyPage, .repeatPage, .dropItems, .repeatItems,
    ]
    private static let neverPublic: Set = [
        "zones/changes", "changes/database", "changes/zone", "records/changes",
    ]
    private static let privateOnly = FaultOperation.paths { $0.isModifying && $0.reply == .done }
}

/// Which parts of an answer a fault is about.
package struct FaultItems: Sendable, Hashable {
    /// What is counted.
    package enum Unit: Sendable {
        /// What the answer lists: zones, records, subscriptions; of `changes/zone` its zones.
        case items
        /// The records in the pages of `changes/zone`, through all of its zones.
        case records
    }

    /// The first so many of them; nil: all.
    package let count: Int?
    package let unit: Unit
}

/// Why a fault rule is refused.
package struct FaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for people.
    package let reason: String
    /// A legal form near the refused one.
    package let suggestion: String?
    /// Where in the text form, counted from 1.
    package var column: Int?

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
