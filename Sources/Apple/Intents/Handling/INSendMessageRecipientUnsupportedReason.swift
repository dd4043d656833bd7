/// Why a message cannot go to somebody.
public enum INSendMessageRecipientUnsupportedReason: Int, Sendable {
    /// The person has no account.
    case noAccount = 1
    /// The person is not there.
    case offline
    /// The person does not take messages.
    case messagingServiceNotEnabledForRecipient
    /// No way to reach the person is known.
    case noValidHandle
    /// That way leads nowhere.
    case requestedHandleInvalid
    /// The person has no such way.
    case noHandleForLabel
}
