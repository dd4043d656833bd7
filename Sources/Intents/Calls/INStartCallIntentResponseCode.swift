/// How the handling of an ``INStartCallIntent`` went.
public enum INStartCallIntentResponseCode: Int, Sendable {
    /// Nobody said.
    case unspecified
    /// It can be handled.
    case ready
    /// The app has to be opened for it.
    case continueInApp
    /// The user has to agree first.
    case userConfirmationRequired
    /// It could not be handled.
    case failure
    /// It can only be handled in the app.
    case failureRequiringAppLaunch
    /// The service cannot be reached.
    case failureCallingServiceNotAvailable
    /// The app cannot reach this person.
    case failureContactNotSupportedByApp
}
