/// One HTTP/2 request and its answer.
final class HTTP2Stream {
    let id: Int32
    /// When its first frame came.
    let beganAt: Int64
    /// Changed at every field, and no change lasts while something else is called.
    @exclusivity(unchecked) private var head: HTTP2Head
    /// The client has more to send.
    var isReceiving = true
    /// The request is whole, or refused.
    var isComplete = false
    /// What came of the body after the refusal.
    var discardedBytes = 0
    /// Nobody waits for its answer any more.
    var isClosed = false
    /// The answer that is to be handed to nghttp2.
    var response: HTTPResponse?
    /// Whether the answer is replaced when the turn's work cannot be committed.
    var canFail = false
    /// Its answer was handed to nghttp2.
    var isAnswered = false
    /// What nghttp2 reads the answer's first fields from.
    var sharedFields: HTTPHeaders.Shared?
    private(set) var expectsContinue = false
    /// The answer's body, and how much of it is sent.
    var answer: [UInt8] = []
    private(set) var answerSent = 0

    /// - Parameter old: A request that is over, whose memory is used again.
    init(id: Int32, now: Int64, reusing old: consuming HTTPRequest) {
        self.id = id
        beganAt = now
        unsafe head = HTTP2Head(reusing: old)
    }

    /// Whether only the answer's head is wanted.
    var isHead: Bool { unsafe head.isHead }
    /// How much of the body has come.
    var bodyCount: Int { unsafe head.bodyCount }
    /// The status to refuse it with, once its header fields are over.
    var refusal: Int? { unsafe head.refusal }

    /// Takes one field of the request's head. Names and values were checked by nghttp2.
    func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limits: HTTPLimits
    ) {
        unsafe head.take(name: name, value: value, limits: limits)
    }

    /// Takes a piece of the request's body.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe head.append(bytes) }

    /// Copies the next piece of the answer's body; says how long it is, and whether it is the last.
    func readAnswer(
        into buffer: UnsafeMutablePointer<UInt8>, capacity: Int
    ) -> (count: Int, isLast: Bool) {
        let start = answerSent
        let count = min(capacity, answer.count - start)
        unsafe answer.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe buffer.update(from: base + start, count: count)
        }
        answerSent = start + count
        return (count, answerSent == answer.count)
    }

    /// Header fields are over.
    func endHeaders() { expectsContinue = unsafe head.end() }

    /// Refuses the request; the first reason counts.
    func refuse(_ status: Int) { unsafe head.refuse(status) }

    /// The request, which moves out.
    func takeRequest() -> HTTPRequest { unsafe head.takeRequest() }
}
