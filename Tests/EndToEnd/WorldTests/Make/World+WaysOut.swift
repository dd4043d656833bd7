/// What people do about a sweep that cannot end in 0.
extension World {
    /// Changes the wish as an operator would who is told why; the others' requests are for the
    /// service.
    ///
    /// - Returns: nil when there is nothing to be done, so that the sweep should have ended in 0.
    mutating func wayOut(_ verdict: Verdict, _ contents: Contents) -> DeviceAct? {
        var others = DeviceAct(writes: [])
        let before = wish
        wish.rules.removeAll { verdict.unmatched.contains($0) }
        if verdict.takesOthers { wish.othersMayGo = true }
        if verdict.takesKept {
            let count = wish.rules.count
            wish.rules.removeAll { $0.type != nil }
            if wish.rules.count == count { wish.rules = [] }
        }
        for index in wish.targets.indices where wish.targets[index].types == nil {
            wish.targets[index].types = Self.types
        }
        // Something of a type that no list names holds on to what is to go: name the types.
        if verdict.status == .partlyFailed {
            for (thing, type) in unnamed(contents) {
                guard let index = index(of: thing) else { continue }
                wish.targets[index].types?.append(type)
            }
        }
        guard wish == before else { return others }
        // What others hold on to goes once they have let go of it.
        for edge in edges where edge.action == .validate && contents[edge.source] != nil {
            let facts = contents[edge.source] ?? Facts(text: "")
            guard edge.source.scope == "public", wish.target(edge.source) != nil,
                !wish.isMeant(edge.source, facts)
            else { continue }
            others.writes.append(
                Wire.delete(
                    edge.source.name, zone: edge.source.zone, user: "ben",
                    at: "\(edge.source.container)/development/public"))
        }
        // And the person lets go of what is kept.
        if others.writes.isEmpty, !wish.rules.isEmpty, verdict.status == .partlyFailed {
            wish.rules = []
            return others
        }
        return others.writes.isEmpty ? nil : others
    }
    /// Whether something holds on to what is to go and cannot go before it, as records do that refer to
    /// each other in a circle, or other people's that others of theirs hold on to.
    func isHeld(_ contents: Contents) -> Bool {
        edges.contains {
            $0.action == .validate && contents[$0.source] != nil && contents[$0.target] != nil
        }
    }

    /// What is the person's outside custom zones, and of a type that the list does not name.
    func unnamed(_ contents: Contents) -> [Thing: String] {
        var types: [Thing: String] = [:]
        for (thing, facts) in contents.things {
            guard thing.kind == .record, thing.zone == "_defaultZone", let type = facts.type,
                type != "Users", wish.isMeant(thing, facts), let index = index(of: thing),
                wish.targets[index].types?.contains(type) == false
            else { continue }
            types[thing] = type
        }
        return types
    }

    private func index(of thing: Thing) -> Int? {
        wish.targets.firstIndex { $0.container == thing.container }
    }
}
