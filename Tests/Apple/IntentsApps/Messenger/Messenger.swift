import CoreSpotlight
import Foundation
import Intents
import UserActivity

struct Contact {
    let identifier: String
    let name: String
    let number: String

    var person: INPerson {
        INPerson(
            personHandle: INPersonHandle(value: number, type: .phoneNumber), nameComponents: nil,
            displayName: name, image: nil, contactIdentifier: nil, customIdentifier: identifier)
    }
}

struct Conversation {
    let identifier: String
    let members: [Contact]
    let name: String?
}

/// A messenger: each message is one donation, in the group of its conversation.
final class Messenger {
    private var conversations: [Conversation]

    /// Starts with the conversations that the app has kept.
    init(conversations: [Conversation]) {
        self.conversations = conversations
    }

    /// The user sees a conversation for the first time.
    func open(_ conversation: Conversation) async throws {
        let attributes = CSSearchableItemAttributeSet(itemContentType: "public.contact")
        attributes.displayName = conversation.members.map(\.name).joined(separator: ", ")
        let item = CSSearchableItem(
            uniqueIdentifier: conversation.identifier, domainIdentifier: "conversations",
            attributeSet: attributes)
        try await CSSearchableIndex.default().indexSearchableItems([item])
        let activity = NSUserActivity(activityType: "com.example.messenger.conversation")
        activity.title = attributes.displayName
        activity.isEligibleForPrediction = true
        activity.persistentIdentifier = conversation.identifier
        activity.becomeCurrent()
    }

    /// The user sends a message: one donation, whoever gets it.
    func send(_ text: String, to conversation: Conversation) async throws {
        let intent = INSendMessageIntent(
            recipients: conversation.members.map(\.person),
            outgoingMessageType: .outgoingMessageText, content: text,
            speakableGroupName: conversation.name.map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: conversation.identifier, serviceName: nil, sender: nil,
            attachments: nil)
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.recipientCount = conversation.members.count
        intent.donationMetadata = metadata
        try await donate(intent, direction: .outgoing, group: conversation.identifier)
    }

    /// A message comes in.
    func receive(_ text: String, from sender: Contact, in conversation: Conversation) async throws {
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: text,
            speakableGroupName: nil, conversationIdentifier: conversation.identifier,
            serviceName: nil, sender: sender.person, attachments: nil)
        try await donate(intent, direction: .incoming, group: conversation.identifier)
    }

    /// The user calls everybody in a conversation.
    func call(_ conversation: Conversation) async throws {
        let intent = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: conversation.members.map(\.person),
            callCapability: .videoCall)
        let response = INStartCallIntentResponse(code: .continueInApp, userActivity: nil)
        try await donate(
            intent, response, direction: .outgoing, group: conversation.identifier)
    }

    /// A call that the user missed, and calls back.
    func callBack(_ caller: Contact, in conversation: Conversation) async throws {
        let missed = INCallRecord(
            identifier: "call-\(caller.identifier)", dateCreated: Date(), callRecordType: .missed,
            callCapability: .audioCall, callDuration: 0, unseen: true,
            participants: [caller.person])
        let intent = INStartCallIntent(
            callRecordFilter: INCallRecordFilter(
                participants: [caller.person], callTypes: [.missed], callCapability: .audioCall),
            callRecordToCallBack: missed, audioRoute: .speakerphoneAudioRoute,
            destinationType: .callBack, contacts: [caller.person], callCapability: .audioCall)
        let response = INStartCallIntentResponse(code: .continueInApp, userActivity: nil)
        try await donate(
            intent, response, direction: .outgoing, group: conversation.identifier)
    }

    private func donate(
        _ intent: INIntent,
        _ response: INIntentResponse = INSendMessageIntentResponse(
            code: .success, userActivity: nil),
        direction: INInteractionDirection, group: String
    ) async throws {
        let interaction = INInteraction(intent: intent, response: response)
        interaction.direction = direction
        interaction.groupIdentifier = group
        try await interaction.donate()
    }

    /// The user deletes a contact: every conversation with him is forgotten by the system.
    func delete(_ contact: Contact) async throws {
        let gone = conversations.filter { conversation in
            conversation.members.contains { $0.identifier == contact.identifier }
        }.map(\.identifier)
        conversations.removeAll { gone.contains($0.identifier) }
        for conversation in gone { try await INInteraction.delete(with: conversation) }
        await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: gone)
        try await CSSearchableIndex.default().deleteSearchableItems(withIdentifiers: gone)
    }

    /// The user signs out.
    func signOut() async throws {
        conversations = []
        try await INInteraction.deleteAll()
        await NSUserActivity.deleteAllSavedUserActivities()
        try await CSSearchableIndex.default().deleteAllSearchableItems()
        INVocabulary.shared().removeAllVocabularyStrings()
        INVoiceShortcutCenter.shared.setShortcutSuggestions([])
        try await INRelevantShortcutStore.default.setRelevantShortcuts([])
    }
}
