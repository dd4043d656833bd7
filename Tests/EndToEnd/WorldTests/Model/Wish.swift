/// What our client is asked to do, in the oracle's own words.
struct Wish: Sendable, Hashable {
    /// Something that must stay.
    struct Rule: Sendable, Hashable {
        var container: String?
        var zone: String?
        var type: String?
    }
    struct Target: Sendable, Hashable {
        var container: String
        var zones: [String] = []
        /// nil: nobody knows them.
        var types: [String]? = []
    }

    var targets: [Target]
    var scopes: Set<String>
    var rules: [Rule]
    /// Whether other people's records may go along with what they refer to.
    var othersMayGo = false
    /// Whether what the person made in zones of others goes before those are left.
    var deletesMine = false
    /// Whether an operator's key sweeps what the person has in public, and nothing else.
    var isNamed = false
    /// The person's record name, by container.
    var names: [String: String]

    func target(_ thing: Thing) -> Target? {
        guard thing.environment == "development", scopes.contains(thing.scope) else { return nil }
        return targets.first { $0.container == thing.container }
    }

    /// Whether a thing is the person's, and where the sweep is to look.
    func isMeant(_ thing: Thing, _ facts: Facts) -> Bool {
        guard target(thing) != nil else { return false }
        // Subscriptions are for who signs in alone.
        if isNamed, thing.kind != .record { return false }
        if isGuest(thing, facts) { return deletesMine && scopes.contains("shared") }
        switch (thing.scope, thing.kind) {
        case ("public", .zone): return false
        case ("public", .record):
            // Everybody has a Users record; what counts is what is in it.
            guard facts.creator == names[thing.container] else { return false }
            return facts.type != "Users" || !facts.text.contains(#""fields":{}"#)
        case ("public", .subscription): return facts.creator == names[thing.container]
        // The records there are their owner's.
        case ("shared", .record): return false
        case (_, .zone): return thing.user == "ada" && thing.zone != "_defaultZone"
        default: return thing.user == "ada"
        }
    }

    /// Whether it is what the person made in a zone of the other.
    private func isGuest(_ thing: Thing, _ facts: Facts) -> Bool {
        thing.user == "ben" && thing.scope == "private" && thing.kind == .record
            && thing.zone == World.sharedZone && facts.creator == names[thing.container]
    }

    /// Whether a rule keeps it.
    func keeps(_ thing: Thing, _ facts: Facts) -> Bool {
        rules.contains { rule in
            guard rule.container == nil || rule.container == thing.container else { return false }
            switch thing.kind {
            // It stays when what it watches stays.
            case .subscription: return rule.zone == nil && (rule.type ?? facts.type) == facts.type
            case .zone: return rule.type == nil && (rule.zone == nil || rule.zone == thing.zone)
            case .record:
                return (rule.zone == nil || rule.zone == thing.zone)
                    && (rule.type == nil || rule.type == facts.type)
            }
        }
    }

    /// Whether a rule keeps it by its place, whatever it is.
    func keepsPlace(_ thing: Thing) -> Bool {
        rules.contains { rule in
            rule.type == nil && (rule.container == nil || rule.container == thing.container)
                && (rule.zone == nil || rule.zone == thing.zone && thing.kind != .subscription)
        }
    }

    /// Everything that must be there afterwards: others' things, what is out of scope, what rules
    /// keep, and the zones that hold such.
    ///
    /// - Parameter others: What others took or changed meanwhile: it holds no zone any more.
    func mustStay(_ contents: Contents, without others: Set<Thing> = []) -> Set<Thing> {
        var stay: Set<Thing> = []
        for (thing, facts) in contents.things {
            // What is shown in a shared database lies in its owner's private one.
            if thing.scope == "shared", thing.kind != .subscription { continue }
            if !isMeant(thing, facts) || keeps(thing, facts) {
                if thing.kind == .record, thing.user == "ada", !others.contains(thing) {
                    stay.insert(zone(of: thing))
                }
                if deletesMine, isGuest(thing, facts), isMeant(thing, facts) {
                    stay.formUnion(contents.things.keys.filter { isEnd($0, of: thing) })
                }
                // The default zone itself comes and goes with its first record.
                if thing.kind == .zone, thing.zone == "_defaultZone" { continue }
                stay.insert(thing)
            }
        }
        return stay.filter { contents[$0] != nil && $0.zone != "_defaultZone" || $0.kind != .zone }
    }

    /// Everything that must go.
    func mustGo(_ contents: Contents) -> Set<Thing> {
        let stay = mustStay(contents)
        return Set(
            contents.things.filter { isMeant($0.key, $0.value) && !stay.contains($0.key) }.keys)
    }

    /// Whether it is what the person has of the zone of the other that a record lies in: it stays with
    /// what is kept there.
    private func isEnd(_ thing: Thing, of record: Thing) -> Bool {
        thing.user == "ada" && thing.scope == "shared" && thing.kind == .zone
            && thing.container == record.container
            && thing.zone.hasPrefix(record.zone + "/")
    }

    private func zone(of record: Thing) -> Thing {
        Thing(
            user: record.user, container: record.container, environment: record.environment,
            scope: record.scope, zone: record.zone, kind: .zone, name: "")
    }
}
