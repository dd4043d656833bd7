public import UserActivity

/// One window of an app, as far as it is about activities: there is nothing to see.
///
/// Who plays the system connects it, delivers activities and disconnects it.
@MainActor open class UIScene: UIResponder {
    /// Whether the person sees and uses a window.
    public enum ActivationState: Int, Sendable {
        /// It has not begun, or is let go of.
        case unattached = -1
        /// It is seen and used.
        case foregroundActive
        /// It is seen, and something else is used.
        case foregroundInactive
        /// It is not seen.
        case background
    }

    /// With what a window begins.
    @MainActor public final class ConnectionOptions {
        /// Activities of a search result, of another app, or of a window that was asked for: never
        /// those of another device.
        public let userActivities: Set<NSUserActivity>
        /// The type of an activity that another device hands over; it comes later.
        public let handoffUserActivityType: String?
        /// The addresses to open.
        public let urlContexts: Set<UIOpenURLContext>

        /// What a window begins with. Not in Apple's interface.
        public init(
            userActivities: Set<NSUserActivity> = [], handoffUserActivityType: String? = nil,
            urlContexts: Set<UIOpenURLContext> = []
        ) {
            self.userActivities = userActivities
            self.handoffUserActivityType = handoffUserActivityType
            self.urlContexts = urlContexts
        }
    }

    /// What is left of the window while it is not there.
    public let session: UISceneSession
    /// Who is told of it; kept alive, as Apple's is.
    open var delegate: (any UISceneDelegate)?
    /// Whether the person sees and uses it.
    open private(set) var activationState = ActivationState.unattached
    /// What the window is called.
    open var title: String?
    /// The line below ``title``.
    open var subtitle = ""

    /// A window of a session. Not in Apple's interface.
    public init(session: UISceneSession) {
        self.session = session
        super.init()
    }

    /// Begins the window and brings it to the front. Not in Apple's interface.
    ///
    /// What the session kept of an earlier window is handed back.
    public func connect(_ options: ConnectionOptions = ConnectionOptions()) {
        guard activationState == .unattached else { return }
        activationState = .foregroundInactive
        delegate?.scene(self, willConnectTo: session, options: options)
        if let kept = session.stateRestorationActivity {
            delegate?.scene(self, restoreInteractionStateWith: kept)
        }
        delegate?.sceneWillEnterForeground(self)
        activationState = .foregroundActive
        delegate?.sceneDidBecomeActive(self)
    }

    /// Sends the window away; its session keeps what it needs to be shown again. Not in Apple's
    /// interface.
    public func disconnect() {
        guard activationState != .unattached else { return }
        delegate?.sceneWillResignActive(self)
        activationState = .background
        delegate?.sceneDidEnterBackground(self)
        session.stateRestorationActivity = delegate?.stateRestorationActivity(for: self)
        activationState = .unattached
        delegate?.sceneDidDisconnect(self)
    }

    /// Hands an activity to a window that is there. Not in Apple's interface.
    public func deliver(_ userActivity: NSUserActivity) {
        delegate?.scene(self, willContinueUserActivityWithType: userActivity.activityType)
        delegate?.scene(self, continue: userActivity)
    }

    /// Brings over what another device offers, and hands it to the window. Not in Apple's
    /// interface.
    ///
    /// - Returns: Whether there was an offer, and it came over. Why it did not is told to the
    ///   delegate.
    @discardableResult
    public func continueActivity(over link: HandoffLink) async -> Bool {
        let offer: String?
        do {
            offer = try await link.offeredActivityType()
        } catch {
            return false
        }
        guard let type = offer else { return false }
        delegate?.scene(self, willContinueUserActivityWithType: type)
        do {
            delegate?.scene(self, continue: try await link.receive())
            return true
        } catch {
            delegate?.scene(self, didFailToContinueUserActivityWithType: type, error: error)
            return false
        }
    }
}
