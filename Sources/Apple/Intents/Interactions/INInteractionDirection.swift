/// Which way the content of an interaction went.
public enum INInteractionDirection: Int, Sendable {
    /// Nobody said.
    case unspecified
    /// It left the device.
    case outgoing
    /// It came to the device.
    case incoming
}
