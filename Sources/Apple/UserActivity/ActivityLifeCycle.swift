/// Where an activity stands between its making and its end.
///
/// A value: it says what a call does, and what is to be done about it.
package struct ActivityLifeCycle: Hashable, Sendable {
    /// The four states of an activity.
    package enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Made, and never current yet.
        case new
        /// The app's one current activity.
        case current
        /// Was current, and may be again.
        case inactive
        /// Ended for good.
        case invalid
    }

    /// What happens to an activity.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        /// The app calls `becomeCurrent`.
        case becomeCurrent
        /// The app calls `resignCurrent`.
        case resignCurrent
        /// The app calls `invalidate`, or lets go of the activity.
        case invalidate
        /// The app makes another activity current.
        case otherBecomesCurrent
        /// A deletion removes what was stored of it.
        case deletion
    }

    /// What the caller has to do.
    package enum Effect: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// Start to advertise it, in place of the former current one, and store it.
        case donate
        /// Store it again if it changed or its stored copy is gone.
        case refresh
        /// Stop to advertise it; what is stored stays.
        case withdraw
    }

    /// The state now.
    package private(set) var phase = Phase.new

    /// The state of an activity that was just made.
    package init() {}

    /// The state `phase`, as a table of all transitions needs it.
    package init(_ phase: Phase) { self.phase = phase }

    /// Takes `call` into account.
    package mutating func receive(_ call: Call) -> Effect {
        switch (phase, call) {
        case (.invalid, _): return .nothing
        case (.current, .becomeCurrent): return .refresh
        case (.new, .becomeCurrent), (.inactive, .becomeCurrent):
            phase = .current
            return .donate
        case (.current, .invalidate):
            phase = .invalid
            return .withdraw
        case (.new, .invalidate), (.inactive, .invalidate):
            phase = .invalid
            return .nothing
        case (.current, .resignCurrent), (.current, .otherBecomesCurrent), (.current, .deletion):
            phase = .inactive
            return .withdraw
        case (.new, _), (.inactive, _): return .nothing
        }
    }
}
