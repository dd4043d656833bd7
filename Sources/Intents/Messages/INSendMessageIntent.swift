internal import Foundation

/// A message to somebody, or to many: one message is one donation, whoever gets it.
public final class INSendMessageIntent: INIntent {
    /// A message with attachments.
    public convenience init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?,
        serviceName: String?, sender: INPerson?, attachments: [INSendMessageAttachment]?
    ) {
        self.init()
        values["recipients"] = recipients
        values["outgoingMessageType"] = outgoingMessageType.rawValue
        values["content"] = content
        values["speakableGroupName"] = speakableGroupName
        values["conversationIdentifier"] = conversationIdentifier
        values["serviceName"] = serviceName
        values["sender"] = sender
        values["attachments"] = attachments
    }

    /// A written message.
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init()
        values["recipients"] = recipients
        values["content"] = content
        values["speakableGroupName"] = speakableGroupName
        values["conversationIdentifier"] = conversationIdentifier
        values["serviceName"] = serviceName
        values["sender"] = sender
    }

    /// Who gets it.
    public var recipients: [INPerson]? { value("recipients") }

    /// What kind of message it is.
    public var outgoingMessageType: INOutgoingMessageType {
        code("outgoingMessageType", or: .unknown)
    }

    /// What it says.
    public var content: String? { value("content") }

    /// The name of the group that gets it.
    public var speakableGroupName: INSpeakableString? { value("speakableGroupName") }

    /// The app's own name for the conversation. It is a parameter: to delete a conversation's
    /// donations give them a group.
    public var conversationIdentifier: String? { value("conversationIdentifier") }

    /// The service that carries it.
    public var serviceName: String? { value("serviceName") }

    /// Who sent it.
    public var sender: INPerson? { value("sender") }

    /// What is sent with it.
    public var attachments: [INSendMessageAttachment]? { value("attachments") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "recipients", \INSendMessageIntent.recipients),
            .init(stored: "outgoingMessageType", \INSendMessageIntent.outgoingMessageType),
            .init(stored: "content", \INSendMessageIntent.content),
            .init(stored: "speakableGroupName", \INSendMessageIntent.speakableGroupName),
            .init(stored: "conversationIdentifier", \INSendMessageIntent.conversationIdentifier),
            .init(stored: "serviceName", \INSendMessageIntent.serviceName),
            .init(stored: "sender", \INSendMessageIntent.sender),
            .init(stored: "attachments", \INSendMessageIntent.attachments),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["recipients", "content"], title: "Send “${content}” to ${recipients}"),
            .init(
                ["speakableGroupName", "content"],
                title: "Send “${content}” to ${speakableGroupName}"),
            .init(["recipients"], title: "Send a message to ${recipients}"),
            .init(["speakableGroupName"], title: "Send a message to ${speakableGroupName}"),
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INSendMessageIntentHandling else { return nil }
        return INIntentPhases(
            for: INSendMessageIntent.self,
            resolving: [
                "recipients": { intent, answer in
                    handler.resolveRecipients(for: intent) { answer(.list($0)) }
                },
                "content": { intent, answer in
                    handler.resolveContent(for: intent) { answer(.one($0)) }
                },
                "speakableGroupName": { intent, answer in
                    handler.resolveSpeakableGroupName(for: intent) { answer(.one($0)) }
                },
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
