internal import AsyncOperations
internal import Dispatch
public import Foundation

/// Whether the app may work with Siri, and in which language Siri speaks.
///
/// There is no Siri here: the status is what the program that plays the person said with
/// ``decide(_:)``, and not determined before.
open class INPreferences: NSObject {
    private static let decided = Locked(INSiriAuthorizationStatus.notDetermined)
    private static let callbacks = DispatchQueue(label: "Intents.preferences")

    /// What the person decided.
    open class func siriAuthorizationStatus() -> INSiriAuthorizationStatus {
        decided.withLock { $0 }
    }

    /// Asks the person; nobody is there, so the answer is what was decided before.
    open class func requestSiriAuthorization(
        _ handler: @escaping @Sendable (INSiriAuthorizationStatus) -> Void
    ) {
        callbacks.async { handler(siriAuthorizationStatus()) }
    }

    /// Asks the person, and waits for the answer.
    open class func requestSiriAuthorization() async -> INSiriAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestSiriAuthorization { continuation.resume(returning: $0) }
        }
    }

    /// The language that Siri speaks (BCP 47): always English here.
    open class func siriLanguageCode() -> String { "en-US" }

    /// The person decides. Not in Apple's interface.
    public class func decide(_ status: INSiriAuthorizationStatus) {
        decided.withLock { $0 = status }
    }
}

/// Whether a person lets an app work with Siri.
public enum INSiriAuthorizationStatus: Int, Sendable {
    /// The person was not asked.
    case notDetermined
    /// The person may not decide it.
    case restricted
    /// The person said no.
    case denied
    /// The person said yes.
    case authorized
}
