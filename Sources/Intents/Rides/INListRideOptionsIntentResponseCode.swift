/// How the handling of an ``INListRideOptionsIntent`` went.
public enum INListRideOptionsIntentResponseCode: Int, Sendable {
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
    /// The user has to sign in first.
    case failureRequiringAppLaunchMustVerifyCredentials
    /// There are no rides here.
    case failureRequiringAppLaunchNoServiceInArea
    /// There are no rides now.
    case failureRequiringAppLaunchServiceTemporarilyUnavailable
    /// The last ride has to be ended first.
    case failureRequiringAppLaunchPreviousRideNeedsCompletion
}
