/// One HTTP/2 request and its answer.
final class HTTP2Stream {
    let id: Int32
    /// When its first frame came.
    let beganAt: Int64
    /// Changed at every field, and no change lasts while something else is called.
    @exclusivity(unchecked) private var head: HTTP2Head
    private(set) var body: [UInt8] = []
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
    var answerSent = 0

    init(id: Int32, now: Int64, latestTarget: String) {
        self.id = id
        beganAt = now
        unsafe head = HTTP2Head(latestTarget: latestTarget)
    }

    /// As sent.
    var method: String { unsafe head.method }
    /// Empty until it has come, and when it is refused.
    var target: String { unsafe head.target }
    /// The status to refuse it with, once its header fields are over.
    var refusal: Int? { unsafe head.refusal }

    /// Takes one field of the request's head. Names and values were checked by nghttp2.
    func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limits: HTTPLimits
    ) {
        unsafe head.take(name: name, value: value, limits: limits)
    }

    /// Takes a piece of the request's body.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Moved out and back: what is called while a property is changed costs all others a check.
        var body: [UInt8] = []
        swap(&body, &self.body)
        unsafe body.append(contentsOf: bytes)
        swap(&body, &self.body)
    }

    /// Header fields are over.
    func endHeaders() { expectsContinue = unsafe head.end() }

    /// Refuses the request; the first reason counts.
    func refuse(_ status: Int) {
        unsafe head.refuse(status)
        body = []
    }

    /// The request, whose body moves out.
    func takeRequest() -> HTTPRequest {
        defer { body = [] }
        return unsafe head.takeRequest(body: body)
    }
}
