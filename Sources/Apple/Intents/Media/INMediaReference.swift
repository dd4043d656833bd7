/// What a word such as “this” means.
public enum INMediaReference: Int, Sendable {
    /// Nobody said.
    case unknown
    /// What is playing.
    case currentlyPlaying
    /// What is the user's.
    case my
}
