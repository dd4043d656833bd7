/// Handles the beginning of workouts.
///
/// Only `handle` must be there.
public protocol INStartWorkoutIntentHandling {
    /// Carries it out.
    func handle(
        intent: INStartWorkoutIntent, completion: @escaping (INStartWorkoutIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INStartWorkoutIntent, completion: @escaping (INStartWorkoutIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `workoutName`.
    func resolveWorkoutName(
        for intent: INStartWorkoutIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void)
}

extension INStartWorkoutIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INStartWorkoutIntent, completion: @escaping (INStartWorkoutIntentResponse) -> Void
    ) { completion(INStartWorkoutIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolveWorkoutName(
        for intent: INStartWorkoutIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void
    ) { completion(.notRequired()) }
}
