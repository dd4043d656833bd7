import MockRules
import MockService

/// Which rule has refused a request or an item of one, as it was noted where that was decided.
struct Explanation {
    /// The name of the item; nil: the request as a whole.
    let item: String?
    let failure: RequestJournal.Entry.Failure

    /// The rule; nil if a fault refused it, or if no rule was recorded.
    var rule: BehaviorRule? {
        guard case .rule(let name, _) = failure.cause else { return nil }
        return RuleBook.own.rule(name.description)
    }

    /// The fault that has refused it.
    var fault: String? {
        if case .fault(let id) = failure.cause { id } else { nil }
    }

    /// What the rule went by.
    var facts: String? {
        guard case .rule(_, let facts) = failure.cause, !facts.isEmpty else { return nil }
        return facts
    }

    /// Such as `CONFLICT: tag 4f, server 52, rule 23`.
    var words: String {
        let why: [String?] =
            switch failure.cause {
            case .rule(let name, _):
                [facts, "rule \(name)"]
            case .fault(let id): ["fault \(id)"]
            case nil: ["no rule recorded"]
            }
        return failure.code + ": " + why.compactMap(\.self).joined(separator: ", ")
    }

    /// All that is known of a request, the request itself first.
    static func all(of entry: RequestJournal.Entry) -> [Explanation] {
        (entry.failure.map { [Explanation(item: nil, failure: $0)] } ?? [])
            + entry.failures.map { Explanation(item: $0.name, failure: $0.why) }
    }
}
