/// Handles the starting of calls without picture.
///
/// Only `handle` must be there.
public protocol INStartAudioCallIntentHandling {
    /// Carries it out.
    func handle(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void)
}

extension INStartAudioCallIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void
    ) { completion(INStartAudioCallIntentResponse(code: .ready, userActivity: nil)) }
}
