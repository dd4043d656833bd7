/// How the handling of an ``INSendMessageIntent`` went.
public enum INSendMessageIntentResponseCode: Int, Sendable {
    /// Nobody said.
    case unspecified
    /// It can be handled.
    case ready
    /// It is being handled.
    case inProgress
    /// It was handled.
    case success
    /// It could not be handled.
    case failure
    /// It can only be handled in the app.
    case failureRequiringAppLaunch
    /// The service cannot be reached.
    case failureMessageServiceNotAvailable
}
