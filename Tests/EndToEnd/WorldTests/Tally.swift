/// How often each trait was met, and what came of it.
struct Tally: Sendable {
    /// Of one trait.
    struct Count: Sendable, Hashable {
        /// Commands that met it.
        var commands = 0
        /// Of those, the ones that ended with 0.
        var done = 0
        /// Worlds that have it.
        var worlds = 0
        /// Of those, the ones in which some command ended with 0 when or after it was met.
        var worldsDone = 0
    }

    private(set) var counts: [Trait: Count] = [:]
    /// Commands, as if each met a trait of their own.
    private(set) var all = Count()

    /// Adds a command of the one world that this is about.
    mutating func add(_ traits: Set<Trait>, isDone: Bool) {
        for trait in traits {
            counts[trait, default: Count()].commands += 1
            counts[trait, default: Count()].worlds = 1
            if isDone { counts[trait, default: Count()].done += 1 }
        }
        all.commands += 1
        all.worlds = 1
        guard isDone else { return }
        all.done += 1
        all.worldsDone = 1
        for trait in counts.keys { counts[trait, default: Count()].worldsDone = 1 }
    }

    mutating func add(_ other: Tally) {
        counts.merge(other.counts) { Self.sum($0, $1) }
        all = Self.sum(all, other.all)
    }

    private static func sum(_ left: Count, _ right: Count) -> Count {
        Count(
            commands: left.commands + right.commands, done: left.done + right.done,
            worlds: left.worlds + right.worlds, worldsDone: left.worldsDone + right.worldsDone)
    }

    /// What is met in fewer than one world of two hundred, or too seldom before a success.
    var blind: [String] {
        Trait.allCases.compactMap { trait in
            let count = counts[trait] ?? Count()
            guard count.worlds * 200 < all.worlds || count.worldsDone * 3 < count.worlds
            else { return nil }
            return "\(trait.rawValue): \(count.worlds) worlds, \(count.worldsDone) of them done"
        }
    }

    var description: [String] {
        let lines = Trait.allCases.map { ($0.rawValue, counts[$0] ?? Count()) }
        return ([("commands", all)] + lines).map { name, count in
            "  \(name): \(count.commands) times, \(count.done) ended with 0; \(count.worlds) worlds, "
                + "\(count.worldsDone) with a 0 then or later"
        }
    }
}
