/// Handles the end of workouts.
///
/// Only `handle` must be there.
public protocol INEndWorkoutIntentHandling {
    /// Carries it out.
    func handle(
        intent: INEndWorkoutIntent, completion: @escaping (INEndWorkoutIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INEndWorkoutIntent, completion: @escaping (INEndWorkoutIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `workoutName`.
    func resolveWorkoutName(
        for intent: INEndWorkoutIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void)
}

extension INEndWorkoutIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INEndWorkoutIntent, completion: @escaping (INEndWorkoutIntentResponse) -> Void
    ) { completion(INEndWorkoutIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolveWorkoutName(
        for intent: INEndWorkoutIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void
    ) { completion(.notRequired()) }
}
