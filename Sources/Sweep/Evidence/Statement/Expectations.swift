package import Basics

/// What a caller asks of evidence beyond that it holds: that it is about this very case.
package struct Expectations: Sendable {
    package var verdict: Verdict?
    package var run: String?
    /// Each of them must be there, and no other.
    package var containers: Set<String>?
    package var environment: String?
    package var plan: String?
    package var notBefore: Timestamp?

    package init() {}

    /// - Throws: `rehearsal`, `notComplete` or `otherThanExpected`.
    package func check(_ statement: ErasureStatement) throws(EvidenceError) {
        let facts = statement.facts
        if let verdict, statement.verdict != verdict {
            if statement.verdict == .rehearsal {
                throw EvidenceError(.rehearsal, "it is a rehearsal, not Apple's service")
            }
            throw EvidenceError(
                .notComplete,
                "the verdict is \(statement.verdict.rawValue), required is \(verdict.rawValue)")
        }
        if let run, facts.run.id != run { throw Self.other("run") }
        if let containers, Set(facts.containers.map(\.identifier)) != containers {
            throw Self.other("containers")
        }
        if let environment, facts.environment != environment { throw Self.other("environment") }
        if let plan, facts.plan?.digest != plan { throw Self.other("plan") }
        if let notBefore, facts.run.beganAt < notBefore {
            throw EvidenceError(.otherThanExpected, "the run began earlier than required")
        }
    }

    private static func other(_ what: String) -> EvidenceError {
        EvidenceError(.otherThanExpected, "it is about another \(what) than required")
    }
}
