import CloudWire
import HTTPServer
import JSON

/// What can be asked about the journal without reading it.
extension MockApplication {
    /// How many of the requests after one are such.
    func countJournal(_ pattern: RequestPattern, after: Int) -> RequestOutcome {
        var filter = RequestJournal.Filter()
        (filter.pattern, filter.after) = (pattern, after)
        return .object { writer in
            writer.member("matching", observers.journal.count(filter))
            writer.member("complete", observers.journal.isComplete(after: after))
            writer.member("total", observers.journal.total)
        }
    }

    /// Whether the requests after one are as expected.
    func verifyJournal(
        _ expectations: [JournalExpectation], inOrder: Bool, after: Int
    ) -> RequestOutcome {
        var filter = RequestJournal.Filter()
        (filter.after, filter.limit) = (after, .max)
        let entries = observers.journal.entries(filter)
        let isComplete = observers.journal.isComplete(after: after)
        let verdict =
            inOrder
            ? JournalVerdict(inOrder: expectations, entries, isComplete: isComplete)
            : JournalVerdict(expectations, entries, isComplete: isComplete)
        return .object { writer in
            writer.member("verdict", verdict.answer.rawValue)
            writer.member("holds", verdict.answer == .holds)
            writer.member("complete", isComplete)
            writer.member("total", observers.journal.total)
            writer.objects("expectations", verdict.items) { $1.writeMembers(to: &$0) }
        }
    }
}

extension JournalVerdict.Item {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("expected", expectation.description)
        writer.member("verdict", answer.rawValue)
        writer.member("matched", matched)
        writer.array("matches", matches) { $0.int64(Int64($1)) }
        writer.member("reason", reason)
        writer.objects("nearMisses", nearMisses) { writer, miss in
            writer.member("number", miss.number)
            writer.member("operation", miss.operation)
            writer.objects("differs", miss.differences) { writer, difference in
                writer.member("key", difference.key.rawValue)
                writer.member("expected", difference.expected)
                writer.member("found", difference.found)
            }
        }
    }
}

extension AdminRequest {
    static let journalQuestion = RequestPattern.members + [Shape.Member("after", .count)]
    static let expectation =
        RequestPattern.members + [.count("exactly"), .count("atLeast"), .count("atMost")]

    /// `{"operation": "records/modify", "zone": "Notes*", "after": 17}`
    static func journalCount(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        .countJournal(
            try RequestPattern(input.body), after: try input.body.number("after") ?? 0)
    }

    /// The same with `limit` or `last`.
    static func journalSearch(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var filter = RequestJournal.Filter()
        filter.pattern = try RequestPattern(input.body)
        filter.after = try input.body.number("after") ?? 0
        let most = RequestJournal.Filter.limitMax
        if let limit = try input.body.number("limit") { filter.limit = min(limit, most) }
        if let last = try input.body.number("last") { filter.last = min(last, most) }
        return .findJournal(filter)
    }

    /// `{"expect": [{"operation": "zones/modify", "exactly": 2}], "inOrder": true, "after": 17}`
    static func journalCheck(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        let (body, most) = (input.body, JournalVerdict.expectationsMax)
        let list = try body.list("expect")
        guard (1...most).contains(list.count) else {
            throw body.refusal("needs \"expect\", a list of 1 to \(most) expectations")
        }
        let inOrder = try body.flag("inOrder") ?? false
        var expectations: [JournalExpectation] = []
        for value in list {
            try value.allow(expectation.map(\.name))
            let count = try count(of: value)
            if inOrder, count.most != nil {
                throw value.refusal("\"inOrder\" supports only \"atLeast\"")
            }
            expectations.append(
                JournalExpectation(pattern: try RequestPattern(value), count: count))
        }
        return .verifyJournal(
            expectations, inOrder: inOrder, after: try body.number("after") ?? 0)
    }

    /// One at least, where nothing is said.
    private static func count(
        of value: JSONValue
    ) throws(AdminError) -> JournalExpectation.Count {
        let (least, most) = (try value.number("atLeast"), try value.number("atMost"))
        if let exactly = try value.number("exactly") {
            guard least == nil, most == nil else {
                throw value.refusal("either \"exactly\", or \"atLeast\" and \"atMost\"")
            }
            return .exactly(exactly)
        }
        guard least ?? 0 <= most ?? .max else {
            throw value.refusal("\"atLeast\" is more than \"atMost\"")
        }
        return .within(atLeast: least ?? (most == nil ? 1 : 0), atMost: most)
    }
}

extension JSONValue {
    fileprivate func number(_ key: String) throws(AdminError) -> Int? {
        try number(key, in: 0...1_000_000_000)
    }
}
