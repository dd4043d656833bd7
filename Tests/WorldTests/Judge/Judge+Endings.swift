extension Judge {
    /// A calm sweep of a world without riddles ends in success: a tool that never says 0 would
    /// break no other rule.
    mutating func checkEndings() {
        guard isLast, act.verb == .sweep || act.verb == .verify, !verdict.isDone,
            !world.hasConflicts, wish.targets.allSatisfy({ $0.types != nil }), rulesMatch
        else { return }
        let isGiven = before.things.contains {
            $0.key.scope == "shared" && $0.key.user == "ada" && $0.key.kind == .zone
        }
        if isGiven && wish.scopes.contains("shared") { return }
        say("a calm \(act.verb.rawValue) ends with \(verdict.status)", verdict.explanation)
    }

    /// Whether each rule keeps a zone or record that no other keeps already: a rule that matches
    /// nothing is taken for misspelled, and nobody looks into a zone that is kept whole.
    private var rulesMatch: Bool {
        wish.rules.allSatisfy { rule in
            var (alone, others) = (wish, wish)
            alone.rules = [rule]
            others.rules.removeAll { $0 == rule }
            return before.things.contains { thing, facts in
                thing.kind != .subscription && facts.type != "Users"
                    && wish.isMeant(thing, facts) && isKnowable(thing, before)
                    && alone.keeps(thing, facts) && !others.keeps(thing, facts)
            }
        }
    }
}
