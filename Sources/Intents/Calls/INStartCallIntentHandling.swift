/// Handles the starting of calls.
///
/// Only `handle` must be there.
public protocol INStartCallIntentHandling {
    /// Carries it out.
    func handle(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `contacts`.
    func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void)
}

extension INStartCallIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void
    ) { completion(INStartCallIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void
    ) { completion([.notRequired()]) }
}
