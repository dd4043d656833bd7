internal import AsyncOperations

/// Keeps the activity of one ``UserActivityResponder``, and lets go of it with the responder.
public final class UserActivityHolder: Sendable {
    private let held = Locked<NSUserActivity?>(nil)

    /// A holder without an activity.
    public init() {}

    deinit { release(held.withLock { $0 }) }

    /// The activity that is held.
    package var activity: NSUserActivity? { held.withLock { $0 } }

    /// Holds `activity` in place of what was held, and makes it current.
    package func hold(_ activity: NSUserActivity?, for responder: any UserActivityResponder) {
        let former = held.withLock { held in
            defer { held = activity }
            return held
        }
        if let activity {
            let holder = ActivityState.Holder(
                key: ObjectIdentifier(self), responder: responder)
            activity.change { state in
                state.holders.removeAll { $0.key == holder.key }
                state.holders.append(holder)
            }
        }
        if former !== activity { release(former) }
        activity?.becomeCurrent()
    }

    private func release(_ activity: NSUserActivity?) {
        guard let activity else { return }
        let key = ObjectIdentifier(self)
        let isLast = activity.change { state in
            state.holders.removeAll { $0.key == key }
            return state.holders.isEmpty
        }
        if isLast { activity.invalidate() }
    }
}
