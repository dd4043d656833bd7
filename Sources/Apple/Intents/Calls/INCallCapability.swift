/// What a call carries.
public enum INCallCapability: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Sound.
    case audioCall
    /// Sound and picture.
    case videoCall
}
