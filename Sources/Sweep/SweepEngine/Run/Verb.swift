/// What a run was begun for.
enum Verb: String, Sendable, CaseIterable {
    case plan
    case sweep
    case apply
    case resume
    case verify
    case export
    case watch

    /// Whether it may delete.
    var deletes: Bool {
        switch self {
        case .sweep, .apply, .resume: true
        case .plan, .verify, .export, .watch: false
        }
    }

    /// Whether it shows what would be deleted, and asks.
    var asks: Bool {
        switch self {
        case .plan, .sweep, .apply: true
        case .resume, .verify, .export, .watch: false
        }
    }

    /// Whether it takes no look but those of the proof.
    var onlyProves: Bool {
        switch self {
        case .verify, .watch: true
        case .plan, .sweep, .apply, .resume, .export: false
        }
    }

    /// Whether what is approved was planned by an earlier look.
    var hasEarlierPlan: Bool {
        switch self {
        case .apply, .resume: true
        case .plan, .sweep, .verify, .export, .watch: false
        }
    }
}
