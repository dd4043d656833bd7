public import Foundation
public import UserActivity

/// What is left of a window while it is not there.
@MainActor public final class UISceneSession: NSObject {
    /// The system's name for it.
    public let persistentIdentifier: String
    /// What the window gave to be shown again.
    public var stateRestorationActivity: NSUserActivity?
    /// What the app keeps with it.
    public var userInfo: [String: Any]?

    /// A session of a name. Not in Apple's interface.
    public init(persistentIdentifier: String) {
        self.persistentIdentifier = persistentIdentifier
        super.init()
    }
}

/// An address that a window is to open.
@MainActor public final class UIOpenURLContext: NSObject {
    /// The address.
    public let url: URL

    /// An address. Not in Apple's interface.
    public init(url: URL) {
        self.url = url
        super.init()
    }
}
