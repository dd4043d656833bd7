/// How the handling of an ``INStartAudioCallIntent`` went.
public enum INStartAudioCallIntentResponseCode: Int, Sendable {
    /// Nobody said.
    case unspecified
    /// It can be handled.
    case ready
    /// The app has to be opened for it.
    case continueInApp
    /// It could not be handled.
    case failure
    /// It can only be handled in the app.
    case failureRequiringAppLaunch
}
