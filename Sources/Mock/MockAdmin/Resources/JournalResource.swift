import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService

/// The journal of requests.
struct JournalResource: AdminResource {
    let call: AdminCall

    private static let question = RequestPattern.members + [Shape.Member("after", .count)]
    static let expectation =
        RequestPattern.members + [.count("exactly"), .count("atLeast"), .count("atMost")]

    static let endpoints = [
        AdminEndpoint(
            "GET", "journal",
            query: RequestPattern.members + ["after", "limit", "last"],
            answers: ["total", "kept", "dropped", "bytes", "matching", "entries"],
            isStored: false, "shows the last requests", list),
        AdminEndpoint(
            "POST", "journal/count", takes: .object(question),
            answers: ["matching", .flag("complete"), "total"], changes: false, isStored: false,
            "counts the matching requests", count),
        AdminEndpoint(
            "POST", "journal/find", takes: .object(question + ["limit", "last"]),
            answers: ["total", "kept", "dropped", "bytes", "matching", "entries"], changes: false,
            isStored: false, "lists the matching requests", find),
        AdminEndpoint(
            "POST", "journal/verify",
            takes: .object([
                .list("expect", of: "JournalExpectation", max: JournalVerdict.expectationsMax)
                    .required, .flag("inOrder"), Shape.Member("after", .count),
            ]),
            answers: [
                Shape.Member("verdict", .choice(of: JournalVerdict.Answer.self)), .flag("holds"),
                .flag("complete"), "total", .list("expectations", of: "JournalFinding"),
            ], changes: false, isStored: false,
            "checks the requests against expectations, and shows near misses", verify),
        AdminEndpoint(
            "DELETE", "journal", answers: ["kept"], isStored: false, "discards the requests",
            clear),
    ]

    private func list() throws(MockError) -> RequestOutcome {
        var filter = RequestJournal.Filter()
        for item in query.items {
            if let key = RequestPattern.Key(rawValue: item.name) {
                try filter.pattern.set(key, to: item.value)
                continue
            }
            guard let number = Int(item.value), number >= 0 else {
                throw MockError("\(item.name) must be a whole number")
            }
            switch item.name {
            case "after": filter.after = number
            case "limit": filter.limit = min(number, RequestJournal.Filter.limitMax)
            default: filter.last = min(number, RequestJournal.Filter.limitMax)
            }
        }
        return list(filter)
    }

    /// The same with `limit` or `last`.
    private func find() throws(MockError) -> RequestOutcome {
        var filter = RequestJournal.Filter()
        filter.pattern = try RequestPattern(body)
        filter.after = try body.number("after") ?? 0
        let most = RequestJournal.Filter.limitMax
        if let limit = try body.number("limit") { filter.limit = min(limit, most) }
        if let last = try body.number("last") { filter.last = min(last, most) }
        return list(filter)
    }

    private func list(_ filter: RequestJournal.Filter) -> RequestOutcome {
        .object { writer in
            writer.member("total", observers.journal.total)
            writer.member("kept", observers.journal.count)
            writer.member("dropped", observers.journal.dropped)
            writer.member("bytes", observers.journal.bytes)
            writer.member("matching", observers.journal.count(filter))
            writer.objects("entries", observers.journal.entries(filter)) {
                $1.writeMembers(to: &$0)
            }
        }
    }

    private func clear() -> RequestOutcome {
        observers.journal.clear()
        return .object { $0.member("kept", 0) }
    }

    /// `{"operation": "records/modify", "zone": "Notes*", "after": 17}`
    private func count() throws(MockError) -> RequestOutcome {
        count(
            try RequestPattern(body), after: try body.number("after") ?? 0)
    }

    /// How many of the requests after one match.
    private func count(_ pattern: RequestPattern, after: Int) -> RequestOutcome {
        var filter = RequestJournal.Filter()
        (filter.pattern, filter.after) = (pattern, after)
        return .object { writer in
            writer.member("matching", observers.journal.count(filter))
            writer.member("complete", observers.journal.isComplete(after: after))
            writer.member("total", observers.journal.total)
        }
    }

    /// `{"expect": [{"operation": "zones/modify", "exactly": 2}], "inOrder": true, "after": 17}`
    private func verify() throws(MockError) -> RequestOutcome {
        let most = JournalVerdict.expectationsMax
        let list = try body.list("expect")
        guard (1...most).contains(list.count) else {
            throw body.refusal("needs \"expect\", a list of 1 to \(most) expectations")
        }
        let inOrder = try body.flag("inOrder") ?? false
        var expectations: [JournalExpectation] = []
        for value in list {
            try value.allow(Self.expectation.map(\.name))
            let count = try Self.count(of: value)
            if inOrder, count.most != nil {
                throw value.refusal("\"inOrder\" supports only \"atLeast\"")
            }
            expectations.append(
                JournalExpectation(pattern: try RequestPattern(value), count: count))
        }
        return verify(
            expectations, inOrder: inOrder, after: try body.number("after") ?? 0)
    }

    /// Whether the requests after one match the expectations.
    private func verify(
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

    /// By default, at least one.
    private static func count(
        of value: JSONValue
    ) throws(MockError) -> JournalExpectation.Count {
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

extension JSONValue {
    fileprivate func number(_ key: String) throws(MockError) -> Int? {
        try number(key, in: 0...1_000_000_000)
    }
}
