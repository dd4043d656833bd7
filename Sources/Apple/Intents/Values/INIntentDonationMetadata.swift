public import Foundation

/// What else the app knows of a donation.
open class INIntentDonationMetadata: NSObject, NSCopying, NSSecureCoding {
    /// Nothing more.
    public override init() { super.init() }

    /// The same values again.
    open func copy(with zone: NSZone? = nil) -> Any { INIntentDonationMetadata() }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// What an archive holds; nil when it cannot be read.
    public required init?(coder: NSCoder) {
        guard let parts = Archive.parts(in: coder) else { return nil }
        super.init()
        take(parts)
    }

    open func encode(with coder: NSCoder) { Archive.encode(storedParts, in: coder) }

    /// What is stored.
    var storedParts: [String: Any?] { [:] }
    /// Takes what was stored.
    func take(_ parts: [String: Any]) {}
}

/// What else the app knows of a message that it donates.
public final class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
    /// Whether the message names the user.
    public var mentionsCurrentUser = false
    /// Whether it answers the user.
    public var isReplyToCurrentUser = false
    /// Whether it is to be shown although the recipient wants no disturbance.
    public var notifyRecipientAnyway = false
    /// How many people it went to: a message to many is one donation.
    public var recipientCount = 0

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = INSendMessageIntentDonationMetadata()
        copy.mentionsCurrentUser = mentionsCurrentUser
        copy.isReplyToCurrentUser = isReplyToCurrentUser
        copy.notifyRecipientAnyway = notifyRecipientAnyway
        copy.recipientCount = recipientCount
        return copy
    }

    override var storedParts: [String: Any?] {
        [
            "mentionsCurrentUser": mentionsCurrentUser,
            "isReplyToCurrentUser": isReplyToCurrentUser,
            "notifyRecipientAnyway": notifyRecipientAnyway, "recipientCount": recipientCount,
        ]
    }

    override func take(_ parts: [String: Any]) {
        mentionsCurrentUser = parts["mentionsCurrentUser"] as? Bool ?? false
        isReplyToCurrentUser = parts["isReplyToCurrentUser"] as? Bool ?? false
        notifyRecipientAnyway = parts["notifyRecipientAnyway"] as? Bool ?? false
        recipientCount = parts["recipientCount"] as? Int ?? 0
    }
}
