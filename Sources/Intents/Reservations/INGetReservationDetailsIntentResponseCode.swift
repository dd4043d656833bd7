/// How the handling of an ``INGetReservationDetailsIntent`` went.
public enum INGetReservationDetailsIntentResponseCode: Int, Sendable {
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
}
