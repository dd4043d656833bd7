internal import AsyncOperations
internal import Foundation

/// How requests get to the origin of an activity, and its answers back.
package protocol HandoffTransport: Sendable {
    /// Sends canonical bytes and waits for the answer's.
    ///
    /// - Throws: 4609 when there is no connection, 4608 when it ends before the answer, 4610 when
    ///   the answer takes too long.
    func send(_ request: [UInt8]) async throws(CocoaError) -> [UInt8]
    /// Sends a request that turns a connection into a pair of streams.
    ///
    /// - Throws: As ``send(_:)`` does.
    func openStreams(_ request: [UInt8]) throws(CocoaError) -> ContinuationStreams
    /// Ends it for good.
    func close()
}

/// Both sides in one process.
final class DirectHandoff: HandoffTransport {
    private let origin: HandoffOrigin
    private let isClosed = Locked(false)

    init(to origin: HandoffOrigin) { self.origin = origin }

    func close() { isClosed.withLock { $0 = true } }

    func send(_ request: [UInt8]) async throws(CocoaError) -> [UInt8] {
        try check()
        let reply = await origin.answer(request)
        try check()
        return reply
    }

    func openStreams(_ request: [UInt8]) throws(CocoaError) -> ContinuationStreams {
        try check()
        let (near, far) = try ContinuationStreams.connectedPair()
        guard origin.accept(far, for: request) else { throw CocoaError(.userActivityHandoffFailed) }
        return near
    }

    private func check() throws(CocoaError) {
        if isClosed.withLock({ $0 }) { throw CocoaError(.userActivityConnectionUnavailable) }
    }
}
