package import HTTPServer
import JSON
import MockStore

/// A client of the event stream: the body of a response that has no end of its own.
///
/// It keeps no event: what its client has not received yet is in ``EventFeed``, or becomes a gap once it was dropped
/// there. So a slow client costs no memory.
package final class FeedListener: HTTPBodySource {
    package let length: Int? = nil
    private weak let observers: ExchangeObservers?
    private var text: FeedText
    /// The last event that was sent.
    private(set) var place: Int
    /// Whether it waits for more.
    private(set) var isWaiting = false
    /// Whether something is to be sent although nothing happened, to find out if the client is connected.
    var owesBeat = false
    private var isEnding = false
    private var hasEnded = false

    /// - Parameter text: What is sent first.
    package init(_ observers: ExchangeObservers, _ text: FeedText, after place: Int) {
        self.observers = observers
        self.text = text
        self.place = place
    }

    package func next() -> HTTPBodyPiece {
        isWaiting = false
        guard !hasEnded, let observers else { return .end }
        var piece = text
        text = FeedText(epoch: text.epoch, kinds: text.kinds)
        place = piece.add(observers.events, after: place, observers.journal)
        if isEnding, place == observers.events.newest {
            piece.add(.end, number: nil) { $0.member("reason", "the server is stopping") }
            hasEnded = true
        }
        let beats = owesBeat
        owesBeat = false
        if !piece.bytes.isEmpty { return .bytes(piece.bytes) }
        if beats { return .bytes(FeedText.beat) }
        isWaiting = true
        return .waiting
    }

    package func finish() -> Bool {
        isEnding = true
        return true
    }
}

extension FeedListener {
    /// The answer that it is the body of.
    package var response: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "content-type": "text/event-stream", "cache-control": "no-store",
                "x-accel-buffering": "no",
            ], source: self)
    }
}
