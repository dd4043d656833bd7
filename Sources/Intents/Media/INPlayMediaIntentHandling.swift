/// Handles the playing of media.
///
/// Only `handle` must be there.
public protocol INPlayMediaIntentHandling {
    /// Carries it out.
    func handle(
        intent: INPlayMediaIntent, completion: @escaping (INPlayMediaIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INPlayMediaIntent, completion: @escaping (INPlayMediaIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `mediaItems`.
    func resolveMediaItems(
        for intent: INPlayMediaIntent,
        with completion: @escaping ([INPlayMediaMediaItemResolutionResult]) -> Void)
}

extension INPlayMediaIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INPlayMediaIntent, completion: @escaping (INPlayMediaIntentResponse) -> Void
    ) { completion(INPlayMediaIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolveMediaItems(
        for intent: INPlayMediaIntent,
        with completion: @escaping ([INPlayMediaMediaItemResolutionResult]) -> Void
    ) { completion([.notRequired()]) }
}
