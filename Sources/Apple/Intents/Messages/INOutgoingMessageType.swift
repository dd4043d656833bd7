/// What kind of message goes out.
public enum INOutgoingMessageType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// A written one.
    case outgoingMessageText
    /// A spoken one.
    case outgoingMessageAudio
}
