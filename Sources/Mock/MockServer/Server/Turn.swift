/// One turn of the loop: what goes on after it, answers that are held back and jobs, sees here what has
/// become of what was done in it.
final class Turn {
    enum Fate {
        /// It is stored, or will be at its end.
        case stored
        /// Nothing of it has happened.
        case undone
        /// Nobody knows whether the disk has it.
        case unknown
    }

    var fate = Fate.stored
}

/// What requests change beside the store and the journal: values, of which the state before a turn is kept
/// until the turn is stored.
struct UnstoredState {
    let authenticator: Authenticator
    let faults: FaultPlan
    let pages: PageDelivery
    let generation: Int
    let options: MockOptions
    let clock: ServerClock.Setting
    let throttle: RequestThrottle
    let watchesClients: Bool
}
