/// Something that must never be, and was.
struct Violation: Sendable, Hashable {
    /// The invariant and a few words: what is counted together.
    let kind: String
    let text: String
}

/// What our client has been shown of a world, through all of its commands.
struct Memory: Sendable {
    /// Record types in answers to it, by container.
    var types: [String: Set<String>] = [:]
    /// Whether the types so far are on our client's disk.
    var keepsTypes = true
    /// Whether a command was told of a type after its first deletion: what is of that type is found
    /// by the proof, and goes with the next sweep.
    var learnedLate = false
    /// Types whose last source our client itself deleted: it must not forget them.
    var heldTypes: [String: Set<String>] = [:]
    /// What there was when the latest plan was made.
    var planned: Contents?
    /// What may have been in it.
    var approved: Set<Thing> = []
    /// What there was when each run began, and whether all that happened since can be counted.
    var runs: [String: (contents: Contents, isPlain: Bool)] = [:]
}
