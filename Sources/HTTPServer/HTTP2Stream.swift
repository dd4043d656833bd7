/// One HTTP/2 request and its answer.
final class HTTP2Stream {
    let id: Int32
    /// When its first frame came.
    let beganAt: Int64
    /// What has come of the request.
    private(set) var request = HTTPRequest(method: "", target: "", version: .http2)
    /// The status to refuse the request with, once its header fields are over.
    private(set) var refusal: Int?
    private var headerBytes = 0
    private(set) var expectsContinue = false
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
    /// The answer's body, and how much of it is sent.
    var answer: [UInt8] = []
    private(set) var answerSent = 0

    /// What a field costs beyond its bytes (RFC 9113 section 6.5.2).
    private static let fieldOverheadBytes = 32

    init(id: Int32, now: Int64) {
        self.id = id
        beganAt = now
    }

    /// Takes one field of the request's head. Names and values were checked by nghttp2.
    func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limits: HTTPLimits
    ) {
        guard refusal == nil else { return }
        headerBytes += name.count + value.count + Self.fieldOverheadBytes
        guard headerBytes <= limits.headerBytesMax + limits.headerFieldsMax * 32,
            request.headers.fields.count < limits.headerFieldsMax
        else {
            refusal = 431
            return
        }
        // nghttp2 lets known pseudo-header fields through only, and each once.
        switch unsafe String(decoding: name, as: UTF8.self) {
        case ":method": request.method = unsafe String(decoding: value, as: UTF8.self)
        case ":path" where value.count > limits.targetBytesMax: refusal = 414
        case ":path" where unsafe !Bytes.isTarget(value.span): refusal = 400
        case ":path": request.target = unsafe String(decoding: value, as: UTF8.self)
        case ":authority":
            request.headers.append("host", unsafe String(decoding: value, as: UTF8.self))
        case ":scheme": break
        default: unsafe request.headers.append(name: name, value: value)
        }
    }

    /// Header fields are over.
    func endHeaders() {
        if request.method.isEmpty || request.target.isEmpty { refusal = refusal ?? 400 }
        guard let expectation = request.headers["expect"] else { return }
        if expectation.lowercased() == "100-continue" {
            expectsContinue = true
        } else {
            refuse(417)
        }
    }

    /// Takes a piece of the request's body.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe request.body.append(contentsOf: bytes)
    }

    /// Refuses the request; the first reason counts.
    func refuse(_ status: Int) {
        refusal = refusal ?? status
        request.body = []
    }

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
}
