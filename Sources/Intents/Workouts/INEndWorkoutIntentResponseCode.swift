/// How the handling of an ``INEndWorkoutIntent`` went.
public enum INEndWorkoutIntentResponseCode: Int, Sendable {
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
    /// There is no such workout.
    case failureNoMatchingWorkout
    /// The app handles it without coming to the front.
    case handleInApp
    /// It was handled.
    case success
}
