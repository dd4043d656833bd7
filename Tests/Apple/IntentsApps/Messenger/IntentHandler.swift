import Intents

/// What Siri asks the messenger for: messages in the one form of a handler, calls in the other.
final class IntentHandler: INExtension, INSendMessageIntentHandling, INStartCallIntentHandling {
    let contacts: [Contact]

    init(contacts: [Contact]) {
        self.contacts = contacts
        super.init()
    }

    /// The contacts of whom `spoken` can be said.
    private func matches(_ spoken: INPerson) -> [INPerson] {
        contacts.filter { $0.name.hasPrefix(spoken.displayName) }.map(\.person)
    }

    // MARK: Messages

    func resolveRecipients(
        for intent: INSendMessageIntent
    ) async -> [INSendMessageRecipientResolutionResult] {
        guard let recipients = intent.recipients, !recipients.isEmpty else {
            return [.needsValue()]
        }
        return recipients.map { recipient in
            let matches = matches(recipient)
            switch matches.count {
            case 0: return .unsupported(forReason: .noAccount)
            case 1: return .success(with: matches[0])
            default: return .disambiguation(with: matches)
            }
        }
    }

    func resolveContent(for intent: INSendMessageIntent) async -> INStringResolutionResult {
        guard let content = intent.content, !content.isEmpty else { return .needsValue() }
        return .success(with: content)
    }

    func handle(intent: INSendMessageIntent) async -> INSendMessageIntentResponse {
        INSendMessageIntentResponse(code: .success, userActivity: nil)
    }

    // MARK: Calls

    func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void
    ) {
        let found = (intent.contacts ?? []).flatMap(matches)
        completion(
            found.isEmpty
                ? [.unsupported(forReason: .noContactFound)] : found.map { .success(with: $0) })
    }

    func resolveCallCapability(
        for intent: INStartCallIntent,
        with completion: @escaping (INStartCallCallCapabilityResolutionResult) -> Void
    ) {
        completion(.success(with: .audioCall))
    }

    func handle(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void
    ) {
        let activity = NSUserActivity(activityType: "com.example.messenger.call")
        completion(INStartCallIntentResponse(code: .continueInApp, userActivity: activity))
    }
}
