/// How the handling of an ``INPlayMediaIntent`` went.
public enum INPlayMediaIntentResponseCode: Int, Sendable {
    /// Nobody said.
    case unspecified
    /// It can be handled.
    case ready
    /// The app has to be opened for it.
    case continueInApp
    /// It is being handled.
    case inProgress
    /// It was handled.
    case success
    /// The app handles it without coming to the front.
    case handleInApp
    /// It could not be handled.
    case failure
    /// It can only be handled in the app.
    case failureRequiringAppLaunch
    /// The app does not play this kind.
    case failureUnknownMediaType
    /// All was played.
    case failureNoUnplayedContent
    /// It may not be played.
    case failureRestrictedContent
    /// Too many play at once.
    case failureMaxStreamLimitReached
}
