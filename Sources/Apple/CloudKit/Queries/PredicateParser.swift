import CloudModel
import Foundation

/// Reads a predicate's format; see `NSPredicate.init(format:_:)` for what is understood.
struct PredicateParser {
    typealias Problem = PredicateScanner.Problem

    private var scanner: PredicateScanner
    private var token: PredicateScanner.Token
    private var arguments: ArraySlice<Any>
    private var depth = 0
    private static let depthMax = 100

    /// What a format asks of the service.
    static func filters(
        _ format: String, _ arguments: [Any]
    ) -> Result<[Query.Filter], CKError> {
        do throws(Problem) {
            var parser = try PredicateParser(format, arguments)
            return .success(try parser.whole())
        } catch {
            return .failure(
                CKError(
                    .invalidArguments,
                    "the predicate cannot be sent to the service: \(error.reason), at character "
                        + "\(error.column)"))
        }
    }

    private init(_ format: String, _ arguments: [Any]) throws(Problem) {
        scanner = try PredicateScanner(format)
        token = try scanner.next()
        self.arguments = arguments[...]
    }

    private mutating func whole() throws(Problem) -> [Query.Filter] {
        let filters = try conjunction()
        guard token.kind == .end else { throw unexpected("AND") }
        guard arguments.isEmpty else {
            throw Problem(reason: "more arguments than \"%\" signs", column: token.column)
        }
        return filters
    }

    private mutating func conjunction() throws(Problem) -> [Query.Filter] {
        var filters = try condition()
        while true {
            if isWord("OR") || isMark("||") {
                throw Problem(reason: "only AND joins conditions", column: token.column)
            }
            guard isWord("AND") || isMark("&&") else { return filters }
            try advance()
            filters += try condition()
        }
    }

    private mutating func condition() throws(Problem) -> [Query.Filter] {
        let place = token.column
        if isWord("NOT") || isMark("!") {
            try advance()
            let filters = try condition()
            guard filters.count == 1, let filter = filters.first,
                let opposite = filter.comparator.opposite
            else {
                throw Problem(
                    reason: "the service has no negation of this condition", column: place)
            }
            var negated = filter
            negated.comparator = opposite
            return [negated]
        }
        if isMark("(") {
            depth += 1
            guard depth <= Self.depthMax else {
                throw Problem(reason: "too many parentheses", column: place)
            }
            try advance()
            let filters = try conjunction()
            guard isMark(")") else { throw unexpected(")") }
            try advance()
            depth -= 1
            return filters
        }
        if isWord("TRUEPREDICATE") {
            try advance()
            return []
        }
        return try comparison()
    }

    private mutating func comparison() throws(Problem) -> [Query.Filter] {
        if isWord("ANY") || isWord("SOME") {
            try advance()
            let filters = try comparison()
            guard let filter = filters.first, filters.count == 1,
                let ofList = filter.comparator.ofListMember
            else {
                throw Problem(
                    reason: "ANY is only valid with = and BEGINSWITH", column: token.column)
            }
            var changed = filter
            changed.comparator = ofList
            return [changed]
        }
        if isWord("distanceToLocation:fromLocation:") { return [try distance()] }
        // `value IN list`: the field stands behind.
        if isValue { return [try valueInField()] }
        let field = try name()
        let place = token.column
        let operation = try operationName()
        switch operation {
        case "BETWEEN":
            guard case .list(_, let bounds) = try value(), bounds.count == 2 else {
                throw Problem(reason: "BETWEEN needs two values in braces", column: place)
            }
            return [
                Query.Filter(.greaterThanOrEquals, FieldName.key(field), bounds[0]),
                Query.Filter(.lessThanOrEquals, FieldName.key(field), bounds[1]),
            ]
        case "IN":
            let list = try value()
            guard list.isList else { throw Problem(reason: "IN needs a list", column: place) }
            return [Query.Filter(.in, FieldName.key(field), list)]
        case "CONTAINS" where field == "self" || field == "SELF",
            "TOKENMATCHES" where field == "self" || field == "SELF" || field == "allTokens":
            return [Query.Filter(.containsAllTokens, .anyField, try value())]
        default:
            guard let comparator = Self.comparators[operation] else {
                throw Problem(
                    reason: "the service cannot compare by \(operation)", column: place)
            }
            return [Query.Filter(comparator, FieldName.key(field), try value())]
        }
    }

    private static let comparators: [String: Query.Comparator] = [
        "=": .equals, "==": .equals, "!=": .notEquals, "<>": .notEquals, "<": .lessThan,
        "<=": .lessThanOrEquals, "=<": .lessThanOrEquals, ">": .greaterThan,
        ">=": .greaterThanOrEquals, "=>": .greaterThanOrEquals, "BEGINSWITH": .beginsWith,
        "CONTAINS": .listContains, "TOKENMATCHES": .containsAllTokens,
    ]

    /// An operator with its options, of which only those of full text are known.
    private mutating func operationName() throws(Problem) -> String {
        guard token.kind == .mark || token.kind == .word else { throw unexpected("an operator") }
        let name = token.text.uppercased()
        try advance()
        guard isMark("[") else { return name }
        guard name == "TOKENMATCHES" else {
            throw Problem(
                reason: "the service compares exactly; options are not supported",
                column: token.column)
        }
        try advance()
        try advance()
        guard isMark("]") else { throw unexpected("]") }
        try advance()
        return name
    }

    private mutating func valueInField() throws(Problem) -> Query.Filter {
        let value = try value()
        guard isWord("IN") else { throw unexpected("IN: only its left side may be a value") }
        try advance()
        return Query.Filter(.listContains, FieldName.key(try name()), value)
    }

    private mutating func distance() throws(Problem) -> Query.Filter {
        try advance()
        guard isMark("(") else { throw unexpected("(") }
        try advance()
        let field = try name()
        guard isMark(",") else { throw unexpected(",") }
        try advance()
        let place = token.column
        guard case .location(let location) = try value() else {
            throw Problem(reason: "a CLLocation is expected", column: place)
        }
        guard isMark(")") else { throw unexpected(")") }
        try advance()
        guard isMark("<") || isMark("<=") else { throw unexpected("<") }
        try advance()
        let metres: Double
        switch try value() {
        case .double(let number): metres = number
        case .int64(let number): metres = Double(number)
        default: throw Problem(reason: "a distance in metres is expected", column: token.column)
        }
        return Query.Filter(.near, FieldName.key(field), .location(location), distance: metres)
    }

    // MARK: - Names and values

    /// Whether a value stands here that cannot be a field's name.
    private var isValue: Bool {
        switch token.kind {
        case .text, .number: true
        case .argument: !token.text.hasSuffix("K")
        case .mark: token.text == "{"
        case .word, .end: false
        }
    }

    private mutating func name() throws(Problem) -> String {
        if token.kind == .argument, token.text.hasSuffix("K") {
            let place = token.column
            guard let name = arguments.popFirst() as? String else {
                throw Problem(reason: "%K needs the name of a field", column: place)
            }
            try advance()
            return name
        }
        guard token.kind == .word else { throw unexpected("the name of a field") }
        let name = token.text
        try advance()
        return name
    }

    private mutating func value() throws(Problem) -> FieldValue {
        let place = token
        switch token.kind {
        case .text:
            try advance()
            return .string(place.text)
        case .number:
            try advance()
            if let number = Int64(place.text) { return .int64(number) }
            guard let number = Double(place.text) else {
                throw Problem(reason: "\"\(place.text)\" is not a number", column: place.column)
            }
            return .double(number)
        case .argument where !token.text.hasSuffix("K"):
            try advance()
            return try argument(place)
        case .word where ["TRUE", "YES"].contains(token.text.uppercased()):
            try advance()
            return .int64(1)
        case .word where ["FALSE", "NO"].contains(token.text.uppercased()):
            try advance()
            return .int64(0)
        case .mark where token.text == "{": return try list()
        default: throw unexpected("a value")
        }
    }

    private mutating func argument(_ place: PredicateScanner.Token) throws(Problem) -> FieldValue {
        guard let argument = arguments.popFirst() else {
            throw Problem(reason: "no argument for \(place.text)", column: place.column)
        }
        let value: FieldSlot? =
            switch argument {
            case let id as CKRecord.ID: .init(CKRecord.Reference(recordID: id, action: .none))
            case let record as CKRecord: .init(CKRecord.Reference(record: record, action: .none))
            case let ids as [CKRecord.ID]:
                .init(ids.map { CKRecord.Reference(recordID: $0, action: .none) })
            case let value as any CKRecordValue: .init(value)
            default: nil
            }
        guard case .value(let value)? = value else {
            throw Problem(
                reason: "\(place.text) is \(type(of: argument)), which no field can contain",
                column: place.column)
        }
        return value
    }

    private mutating func list() throws(Problem) -> FieldValue {
        let place = token.column
        try advance()
        var values: [FieldValue] = []
        while !isMark("}") {
            values.append(try value())
            if isMark(",") { try advance() } else if !isMark("}") { throw unexpected(", or }") }
        }
        try advance()
        guard let kind = values.first?.kind, values.allSatisfy({ $0.kind == kind && !$0.isList })
        else { throw Problem(reason: "a list needs values of one type", column: place) }
        return .list(kind, values)
    }

    // MARK: - Words

    private mutating func advance() throws(Problem) { token = try scanner.next() }
    private func isWord(_ word: String) -> Bool {
        token.kind == .word && token.text.uppercased() == word.uppercased()
    }
    private func isMark(_ mark: String) -> Bool { token.kind == .mark && token.text == mark }
    private func unexpected(_ wanted: String) -> Problem {
        Problem(reason: "expected \(wanted), found \(token.text)", column: token.column)
    }
}

extension Query.Comparator {
    /// What `NOT` makes of it; nil where the service has nothing.
    fileprivate var opposite: Query.Comparator? {
        switch self {
        case .equals: .notEquals
        case .notEquals: .equals
        case .lessThan: .greaterThanOrEquals
        case .lessThanOrEquals: .greaterThan
        case .greaterThan: .lessThanOrEquals
        case .greaterThanOrEquals: .lessThan
        case .in: .notIn
        case .beginsWith: .notBeginsWith
        case .listContains: .notListContains
        case .listMemberBeginsWith: .notListMemberBeginsWith
        default: nil
        }
    }

    /// The same comparison with one member of a list.
    fileprivate var ofListMember: Query.Comparator? {
        switch self {
        case .equals: .listContains
        case .beginsWith: .listMemberBeginsWith
        case .in: .listContainsAny
        default: nil
        }
    }
}
