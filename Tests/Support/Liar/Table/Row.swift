/// One run: what is asked for, and what is said that is not so.
package struct Row: Sendable {
    /// Which command of the engine is lied to.
    package enum Verb: String, Sendable, CaseIterable {
        case sweep
        case plan
        case verify
        /// A plan is made honestly, and then applied.
        case apply
        /// A run is begun honestly, interrupted, and then continued.
        case resume
    }

    /// Why a row may end as others must not.
    package enum Excuse: Sendable, Hashable {
        /// Every source that there is says the same, so the run may end in 0.
        case undetectable(String)
        /// Whoever lies does the damage, and the first answer that shows it comes after it.
        case unpreventable(String)
    }

    package var verb: Verb
    package var lies: [Lie]
    package var connectionLie: ConnectionLie?
    /// What the person has.
    package var places = Population.Place.all
    /// What is there besides.
    package var twist: Population.Twist?
    package var excuse: Excuse?
    /// Whether a second container is swept, about which nothing is untrue.
    package var isWide = false
    /// Whether an operator's key sweeps what the person has in public, instead of the person everything.
    package var isNamed = false

    package init(
        _ verb: Verb, _ lies: [Lie], connections: ConnectionLie? = nil,
        places: Set<Population.Place> = Population.Place.all, twist: Population.Twist? = nil
    ) {
        self.verb = verb
        self.lies = lies
        connectionLie = connections
        self.places = places
        self.twist = twist
    }

    /// Says all there is to say about the row, and is the same in every run.
    package var name: String {
        var words = [verb.rawValue]
        if places != Population.Place.all {
            words.append("of " + places.map(\.rawValue).sorted().joined(separator: " and "))
        }
        if isNamed { words.append("of a person who is named") }
        if let twist { words.append("of \(twist.rawValue)") }
        let lies = self.lies.map(\.name) + [connectionLie?.name].compactMap { $0 }
        return words.joined(separator: " ") + ", "
            + (lies.isEmpty ? "honestly" : lies.joined(separator: " + "))
    }

    /// The same with a second container.
    package var widened: Row {
        var row = self
        row.isWide = true
        return row
    }

    /// The same by an operator's key.
    package var named: Row {
        var row = self
        row.isNamed = true
        return row
    }

    /// Whether nothing stands in the way of exit 0.
    package var isHonest: Bool { lies.isEmpty && connectionLie == nil && twist == nil }

    /// Whether the client notices only by waiting, so that it should not wait for long.
    package var needsPatience: Bool { lies.contains(where: \.kind.needsPatience) }
}
