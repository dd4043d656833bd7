/// Where in the queue something is put.
public enum INPlaybackQueueLocation: Int, Sendable {
    /// Nobody said.
    case unknown
    /// At once.
    case now
    /// After the present piece.
    case next
    /// At the end.
    case later
}
