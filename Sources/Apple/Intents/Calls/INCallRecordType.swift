/// How a former call went.
public enum INCallRecordType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// The user made it.
    case outgoing
    /// Nobody answered.
    case missed
    /// The user answered.
    case received
    /// It is the last one.
    case latest
    /// It went to the mailbox.
    case voicemail
    /// It is ringing.
    case ringing
    /// It goes on.
    case inProgress
    /// It is on hold.
    case onHold
}
