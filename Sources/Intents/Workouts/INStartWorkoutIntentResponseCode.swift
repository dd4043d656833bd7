/// How the handling of an ``INStartWorkoutIntent`` went.
public enum INStartWorkoutIntentResponseCode: Int, Sendable {
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
    /// Another one goes on.
    case failureOngoingWorkout
    /// There is no such workout.
    case failureNoMatchingWorkout
    /// The app handles it without coming to the front.
    case handleInApp
    /// It was handled.
    case success
}
