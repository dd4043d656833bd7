/// Whom a call reaches.
public enum INCallDestinationType: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Those who are named.
    case normal
    /// Who helps in an emergency.
    case emergency
    /// A mailbox.
    case voicemail
    /// Whom the last call reached.
    case redial
    /// Who called last.
    case callBack = 5
}
