/// Reads a query string from left to right.
///
/// ```
/// either     = both { "||" both }
/// both       = one { "&&" one }
/// one        = "(" either ")" | "InRange" "(" attribute "," value "," value ")"
///            | attribute operator value
/// attribute  = name | "*" | "**"
/// value      = quoted text with modifiers | number | "$time." name [ "(" argument ")" ]
/// ```
struct QueryParser {
    private var scanner: QueryScanner
    private let time: QueryTime
    private var comparisonCount = 0

    init(_ query: String, now: Double) {
        scanner = QueryScanner(query)
        time = QueryTime(now: now)
    }

    mutating func parse() throws(QueryError) -> QueryPredicate {
        guard scanner.count <= QueryPredicate.lengthMax else {
            throw QueryError(.tooLong, at: QueryPredicate.lengthMax)
        }
        let predicate = try either(depth: 0)
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw QueryError(.expectedEnd, at: scanner.position) }
        return predicate
    }

    private mutating func either(depth: Int) throws(QueryError) -> QueryPredicate {
        var parts = [try both(depth: depth)]
        while scanner.skip("||") { parts.append(try both(depth: depth)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func both(depth: Int) throws(QueryError) -> QueryPredicate {
        var parts = [try one(depth: depth)]
        while scanner.skip("&&") { parts.append(try one(depth: depth)) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func one(depth: Int) throws(QueryError) -> QueryPredicate {
        scanner.skipSpace()
        let start = scanner.position
        if scanner.skip("(") {
            guard depth < QueryPredicate.depthMax else { throw QueryError(.tooDeep, at: start) }
            let predicate = try either(depth: depth + 1)
            try expect(")", .expectedParenthesis)
            return predicate
        }
        let name = scanner.word()
        if name == "InRange" { return try range() }
        let subject = try subject(name, at: start)
        scanner.skipSpace()
        let operatorPosition = scanner.position
        guard let comparison = self.comparison() else {
            throw QueryError(.expectedOperator, at: operatorPosition)
        }
        return try compare(subject, comparison)
    }

    /// `InRange(attribute, smallest, largest)`, both ends included.
    private mutating func range() throws(QueryError) -> QueryPredicate {
        try expect("(", .expectedParenthesis)
        scanner.skipSpace()
        let start = scanner.position
        let subject = try subject(scanner.word(), at: start)
        try expect(",", .expectedComma)
        let low = try compare(subject, .greaterOrEqual)
        try expect(",", .expectedComma)
        let high = try compare(subject, .lessOrEqual)
        try expect(")", .expectedParenthesis)
        return .all([low, high])
    }

    private mutating func subject(
        _ name: String, at position: Int
    ) throws(QueryError) -> QueryComparison.Subject {
        if !name.isEmpty { return .attribute(QueryAttributes.canonicalName(name)) }
        if scanner.skip("**") { return .searchableText }
        if scanner.skip("*") { return .anything }
        throw QueryError(.expectedAttribute, at: position)
    }

    private mutating func comparison() -> QueryComparison.Operator? {
        // The longer ones first.
        for candidate in [
            QueryComparison.Operator.equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less,
            .greater,
        ] where scanner.skip(candidate.rawValue) {
            return candidate
        }
        return nil
    }

    private mutating func compare(
        _ subject: QueryComparison.Subject, _ comparison: QueryComparison.Operator
    ) throws(QueryError) -> QueryPredicate {
        scanner.skipSpace()
        let start = scanner.position
        comparisonCount += 1
        guard comparisonCount <= QueryPredicate.comparisonCountMax else {
            throw QueryError(.tooManyComparisons, at: start)
        }
        let constant = try constant()
        if let kind = Self.kind(of: subject), kind != Self.kind(of: constant) {
            throw QueryError(.wrongKind, at: start)
        }
        if case .pattern(let pattern) = constant, !pattern.isLiteral,
            comparison != .equal, comparison != .notEqual
        {
            throw QueryError(.unorderedText, at: start)
        }
        return .comparison(QueryComparison(subject, comparison, constant))
    }

    private mutating func constant() throws(QueryError) -> QueryComparison.Constant {
        let start = scanner.position
        if let quote = scanner.quote() {
            let pieces = try scanner.pieces(endingAt: quote, from: start)
            return .pattern(QueryPattern(pieces: pieces, modifiers: try scanner.modifiers()))
        }
        if scanner.skip("$") { return .date(try namedTime(from: start)) }
        guard scanner.isAtNumber else { throw QueryError(.expectedValue, at: start) }
        guard let number = scanner.number() else { throw QueryError(.badNumber, at: start) }
        return .number(number)
    }

    /// What comes after `$`.
    private mutating func namedTime(from start: Int) throws(QueryError) -> Double {
        guard scanner.word() == "time", scanner.skipNow(".") else {
            throw QueryError(.unknownTime, at: start)
        }
        let name = scanner.word()
        var argument = ""
        if scanner.skipNow("(") {
            guard let text = scanner.text(until: ")") else {
                throw QueryError(.expectedParenthesis, at: scanner.position)
            }
            argument = text
        }
        let seconds: Double?
        if name == "iso" {
            seconds = QueryTime.seconds(iso: argument)
        } else if let offset = argument.isEmpty ? 0 : Int(argument) {
            seconds = time.seconds(named: name, offset: offset)
        } else {
            seconds = nil
        }
        guard let seconds else { throw QueryError(.unknownTime, at: start) }
        return seconds
    }

    private mutating func expect(
        _ token: String, _ code: QueryError.Code
    ) throws(QueryError) {
        scanner.skipSpace()
        guard scanner.skip(token) else { throw QueryError(code, at: scanner.position) }
    }

    private static func kind(of subject: QueryComparison.Subject) -> QueryAttributes.Kind? {
        switch subject {
        case .attribute(let name): QueryAttributes.kind(of: name)
        case .searchableText: .text
        case .anything: nil
        }
    }

    private static func kind(of constant: QueryComparison.Constant) -> QueryAttributes.Kind {
        switch constant {
        case .pattern: .text
        case .number: .number
        case .date: .date
        }
    }
}
