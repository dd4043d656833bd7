/// Handles the sending of messages.
///
/// Only `handle` must be there.
public protocol INSendMessageIntentHandling {
    /// Carries it out.
    func handle(
        intent: INSendMessageIntent, completion: @escaping (INSendMessageIntentResponse) -> Void)
    /// Looks whether it could be carried out.
    func confirm(
        intent: INSendMessageIntent, completion: @escaping (INSendMessageIntentResponse) -> Void)
    /// Finds out what is meant by the parameter `recipients`.
    func resolveRecipients(
        for intent: INSendMessageIntent,
        with completion: @escaping ([INSendMessageRecipientResolutionResult]) -> Void)
    /// Finds out what is meant by the parameter `content`.
    func resolveContent(
        for intent: INSendMessageIntent,
        with completion: @escaping (INStringResolutionResult) -> Void)
    /// Finds out what is meant by the parameter `speakableGroupName`.
    func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void)
}

extension INSendMessageIntentHandling {
    /// Says that it could be carried out.
    public func confirm(
        intent: INSendMessageIntent, completion: @escaping (INSendMessageIntentResponse) -> Void
    ) { completion(INSendMessageIntentResponse(code: .ready, userActivity: nil)) }
    /// Takes the parameter as it is.
    public func resolveRecipients(
        for intent: INSendMessageIntent,
        with completion: @escaping ([INSendMessageRecipientResolutionResult]) -> Void
    ) { completion([.notRequired()]) }
    /// Takes the parameter as it is.
    public func resolveContent(
        for intent: INSendMessageIntent,
        with completion: @escaping (INStringResolutionResult) -> Void
    ) { completion(.notRequired()) }
    /// Takes the parameter as it is.
    public func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with completion: @escaping (INSpeakableStringResolutionResult) -> Void
    ) { completion(.notRequired()) }
}
