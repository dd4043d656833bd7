/// How far the handling of an intent has come.
public enum INIntentHandlingStatus: Int, Sendable {
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
    /// The app has to be opened for it.
    case deferredToApplication
    /// The user has to agree first.
    case userConfirmationRequired
}
