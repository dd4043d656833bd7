/// What is repeated.
public enum INPlaybackRepeatMode: Int, Sendable {
    /// Nobody said.
    case unknown
    /// Nothing.
    case none
    /// All of it.
    case all
    /// One piece.
    case one
}
