package import Foundation

/// The two streams of one side of a continuation; neither is open when it is handed over.
///
/// Unchecked: the streams guard their own state with a lock, and belong to whoever gets them.
package struct ContinuationStreams: @unchecked Sendable {
    /// What the other side writes.
    package let input: InputStream
    /// What the other side reads.
    package let output: OutputStream

    /// Two pairs joined by a socket that never leaves this machine.
    ///
    /// - Throws: 4609 of `NSCocoaErrorDomain` when the system has no socket to give.
    package static func connectedPair() throws(CocoaError) -> (
        ContinuationStreams, ContinuationStreams
    ) {
        guard let (one, other) = StreamSocket.pair() else {
            throw CocoaError(.userActivityConnectionUnavailable)
        }
        return (ContinuationStreams(one), ContinuationStreams(other))
    }

    /// The streams of one end.
    init(_ socket: StreamSocket) {
        input = SocketInputStream(socket)
        output = SocketOutputStream(socket)
    }
}
