public import UserActivity

/// The part of an app's life that is about continuing activities.
///
/// It has no windows and no events. Who has an activity for the app, a shortcut, a search result
/// or another device, calls ``deliver(_:)`` or ``continueActivity(over:)``.
@MainActor public final class UIApplication {
    /// The application of this process.
    public static let shared = UIApplication()

    /// Who is asked to continue activities; not kept alive.
    public weak var delegate: (any UIApplicationDelegate)?

    /// An application of its own, for tests that run beside each other.
    public init() {}

    /// Hands an activity to the app, in the order of Apple's calls.
    ///
    /// If the delegate continues it, the objects it gives to the restoration handler are asked to
    /// show it, at once or when it calls the handler later. Only the first call counts, and none
    /// does when the delegate says that it does not continue the activity.
    ///
    /// - Returns: Whether the app continues it.
    @discardableResult
    public func deliver(_ userActivity: NSUserActivity) -> Bool {
        _ = delegate?.application(
            self, willContinueUserActivityWithType: userActivity.activityType)
        return handOver(userActivity)
    }

    /// Brings over what another device offers, and hands it to the app.
    ///
    /// - Returns: Whether there was an offer, it came over, and the app continues it. Why it did
    ///   not come over is told to the delegate.
    @discardableResult
    public func continueActivity(over link: HandoffLink) async -> Bool {
        let offer: String?
        do {
            offer = try await link.offeredActivityType()
        } catch {
            return false
        }
        guard let type = offer else { return false }
        _ = delegate?.application(self, willContinueUserActivityWithType: type)
        do {
            return handOver(try await link.receive())
        } catch {
            delegate?.application(
                self, didFailToContinueUserActivityWithType: type, error: error)
            return false
        }
    }

    private func handOver(_ userActivity: NSUserActivity) -> Bool {
        guard let delegate else { return false }
        let restoration = Restoration(userActivity)
        let isContinued = delegate.application(self, continue: userActivity) { objects in
            restoration.give(
                (objects ?? []).map { object in { object.restoreUserActivityState($0) } })
        }
        restoration.decide(isContinued)
        return isContinued
    }
}
