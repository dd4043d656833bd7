/// S1, S9: what must be gone.
extension Judge {
    /// Done: nothing of the person that could be known of was there when it was last looked at.
    mutating func checkDone() {
        guard verdict.isDone, act.verb != .plan else { return }
        guard let lastPass = verdict.lastPass else {
            return say("S1 done without a verification", "")
        }
        for thing in wish.mustGo(after).sorted() {
            guard !ledger.isBorn(thing, after: lastPass), isKnowable(thing, after),
                !isAboutOther(thing.container)
            else { continue }
            let place = thing.scope + " " + thing.kind.rawValue
            let late = ledger.born[thing] == nil ? "" : ", written late"
            say("S1 done with a \(place) left\(late)", "\(thing)" + source(thing, after))
        }
    }

    /// Whether anything tells our client that there can be such a thing: records of the default
    /// zone and the public database are found by their type alone.
    func isKnowable(_ thing: Thing, _ contents: Contents) -> Bool {
        guard thing.kind == .record, thing.zone == "_defaultZone", let type = contents[thing]?.type,
            type != "Users", let target = wish.target(thing)
        else { return true }
        let seen = memory.types[thing.container, default: []]
        let held = memory.heldTypes[thing.container, default: []]
        return (target.types ?? []).contains(type) || seen.contains(type) || held.contains(type)
    }

    /// Where our client was told of a thing's type, for people.
    func source(_ thing: Thing, _ contents: Contents) -> String {
        guard let type = contents[thing]?.type else { return "" }
        guard
            let index = log.firstIndex(where: {
                $0.container == thing.container && $0.answered.contains { $0.type == type }
            })
        else { return ", a \(type)" }
        let exchange = log[index]
        return ", a \(type): request \(index + 1) of \(log.count), \(exchange.operation) of "
            + exchange.scope + (exchange.type.map { " for \($0)" } ?? "")
    }

    /// What an answer named once is known for good, unless our client may have been cut off before
    /// it could write it down.
    mutating func rememberTypes() {
        if !memory.keepsTypes { memory.types = [:] }
        memory.keepsTypes = !wasCutOff
        var hasDeleted = false
        for exchange in log where exchange.environment == "development" && !exchange.isOther {
            hasDeleted = hasDeleted || exchange.isModifying
            // One part that failed makes it no answer.
            if exchange.operation == "subscriptions/list",
                exchange.answered.contains(where: { $0.refusal != nil })
            {
                continue
            }
            let target = wish.targets.first { $0.container == exchange.container }
            for part in exchange.answered {
                if let type = part.type {
                    let isKnown =
                        target?.types?.contains(type) == true
                        || memory.types[exchange.container]?.contains(type) == true
                    if hasDeleted, !isKnown { memory.learnedLate = true }
                    memory.types[exchange.container, default: []].insert(type)
                }
            }
        }
    }

    private var wasCutOff: Bool {
        act.cut != nil || ledger.happened.contains { if case .stop = $0 { true } else { false } }
    }

    /// A type must be known after our client has deleted what told of it.
    mutating func forgetSources() {
        let gone = after.losses(since: before).subtracting(ledger.taken)
        for thing in gone where thing.user == "ada" || thing.scope == "public" {
            guard let type = before[thing]?.type,
                memory.types[thing.container]?.contains(type) == true
            else { continue }
            memory.heldTypes[thing.container, default: []].insert(type)
        }
    }
}
