import HTTPServer

/// Counts what it is given, and does with each piece as the test says.
final class RecordingSink: HTTPBodySink {
    /// What tests look at from their own thread.
    struct Seen: Sendable {
        var count = 0
        /// Of the bytes, in their order.
        var checksum: UInt64 = 0
        /// The most that the loop held when a piece came.
        var heldMax = 0
        var pieces = 0
        var abandoned = 0
        var handled = 0
    }

    let seen: Watched<Seen>
    private(set) var heldBytes = 0
    private let keeps: Bool
    private weak var loop: HTTPLoop?
    private let demand: (RecordingSink) -> HTTPBodyDemand

    /// - Parameter keeps: Whether it holds what it takes.
    init(
        _ seen: Watched<Seen>, _ loop: HTTPLoop, keeps: Bool = false,
        _ demand: @escaping (RecordingSink) -> HTTPBodyDemand = { _ in .more }
    ) {
        self.seen = seen
        self.loop = loop
        self.keeps = keeps
        self.demand = demand
    }

    /// The checksum of a text.
    static func checksum(_ bytes: some Sequence<UInt8>, after sum: UInt64 = 0) -> UInt64 {
        bytes.reduce(sum) { $0 &* 31 &+ UInt64($1) }
    }

    func take(_ piece: Span<UInt8>) -> HTTPBodyDemand {
        let held = loop?.bytesHeld ?? 0
        var sum = seen.withLock { $0.checksum }
        for index in piece.indices { sum = sum &* 31 &+ UInt64(piece[index]) }
        let count = piece.count
        seen.withLock {
            $0.count += count
            $0.pieces += 1
            $0.checksum = sum
            $0.heldMax = max($0.heldMax, held)
        }
        if keeps { heldBytes += count }
        return demand(self)
    }

    func handle(_ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop) -> HTTPAnswer {
        seen.withLock { $0.handled += 1 }
        return .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
    }

    func abandon() { seen.withLock { $0.abandoned += 1 } }
}
