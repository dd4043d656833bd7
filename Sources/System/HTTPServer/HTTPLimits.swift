/// Bounds on what clients may send.
package struct HTTPLimits: Sendable, Hashable {
    /// Request line; above it 414.
    package var targetBytesMax = 8 << 10
    /// Request line and header fields together; above it 431.
    package var headerBytesMax = 16 << 10
    /// Header fields; above it 431.
    package var headerFieldsMax = 100
    /// A request's body where the application names no limit of its own; above it 413.
    package var bodyBytesMax = 4 << 20
    /// Open connections; more wait in the kernel's queue.
    package var connectionsMax = 16_384
    /// HTTP/2 requests at once on a connection.
    package var streamsMax = 256
    /// HTTP/2 requests of one connection that are not handed out yet, together; above it streams are
    /// refused.
    package var connectionBodyBytesMax = 32 << 20

    /// Everything that is kept for all connections together; see ``MemoryBudget``.
    package var memoryBytesMax = 256 << 20

    package init() {}

    /// The same with no more connections than a process may have open files, which the application
    /// needs some of.
    package func leavingFiles(of filesMax: Int) -> HTTPLimits {
        var limits = self
        limits.connectionsMax = min(
            connectionsMax, max(Self.connectionsMin, filesMax - Self.otherFilesMax))
        return limits
    }

    private static let connectionsMin = 16
    /// Open files that are not connections.
    private static let otherFilesMax = 256
}
