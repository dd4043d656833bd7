package import HTTPServer
import JSON

/// One who watches the server: the body of an answer that has no end of its own.
///
/// It keeps no event: what its client has not taken yet is in the feed, or is told as a gap once it is there
/// no longer. So a slow client costs no memory.
package final class FeedListener: HTTPBodySource {
    package let length: Int? = nil
    private weak let observers: ExchangeObservers?
    private var text: FeedText
    /// The last event that was handed out.
    private(set) var place: Int
    /// Whether it is to be told when there is more.
    private(set) var isWaiting = false
    /// Whether it is to be seen if the client is there, though nothing has happened.
    var owesBeat = false
    private var isEnding = false
    private var hasEnded = false

    /// - Parameter text: What is sent first.
    init(_ observers: ExchangeObservers, _ text: FeedText, after place: Int) {
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
