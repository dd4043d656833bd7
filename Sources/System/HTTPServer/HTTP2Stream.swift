/// One HTTP/2 request and its answer.
final class HTTP2Stream {
    let id: Int32
    /// The request's head, until it is handed out.
    private(set) var request = HTTPRequest(method: "", target: "", version: .http2)
    /// What has come of its body.
    var incoming = IncomingBody()
    /// How long its body may become; nil until the application has been asked.
    var bodyBytesMax: Int?
    /// A body was announced: the head did not end the stream, nor name a length of 0.
    var hasBody = false
    /// Who answers the request, or takes its body; nil as long as that is not known.
    var application: (any HTTPApplication)?
    /// How much of its body has come.
    private(set) var bodyCount = 0
    /// How much of that still takes up the stream's window.
    private var unconsumedCount = 0
    /// What to refuse the request with, once its header fields are over.
    private(set) var refusal: HTTPResponse?
    private var headerBytes = 0
    /// Bytes of all header fields that came, also after a refusal.
    private(set) var headerBytesSeen = 0
    private(set) var expectsContinue = false
    private(set) var isHead = false
    /// The client has more to send.
    var isReceiving = true
    /// Whether it is among the streams of which something has come.
    var isStirred = false
    /// More of its body has come than its use allows.
    var isTooLong = false
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
    /// What is left of the answer's body; nil once nghttp2 has all of it.
    var unsent: UnsentBody?
    /// The rest of the body waits for its source.
    var awaitsSource = false

    /// What a field costs beyond its bytes (RFC 9113 section 6.5.2).
    private static let fieldOverheadBytes = 32

    init(id: Int32) { self.id = id }

    /// Bytes kept of the request.
    var inputBytes: Int { headerBytes + incoming.heldBytes }
    /// Bytes kept of the answer.
    var outputBytes: Int { (response?.body.count ?? 0) + (unsent?.heldBytes ?? 0) }
    /// Whether it has an answer, sent or not.
    var hasAnswer: Bool { isAnswered || response != nil }
    /// How long the client says the body is.
    var contentLength: Int? { request.headers["content-length"].flatMap { Int($0) } }

    /// Takes one field of the request's head. Names and values were checked by nghttp2.
    func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limits: HTTPLimits
    ) {
        let fieldBytes = name.count + value.count + Self.fieldOverheadBytes
        headerBytesSeen += fieldBytes
        guard refusal == nil else { return }
        let bytes = headerBytes + fieldBytes
        guard bytes <= limits.headerBytesMax + limits.headerFieldsMax * Self.fieldOverheadBytes,
            request.headers.fields.count < limits.headerFieldsMax
        else { return refuse(HTTPResponse(status: 431)) }
        headerBytes = bytes
        // nghttp2 lets known pseudo-header fields through only, and each once.
        switch unsafe String(decoding: name, as: UTF8.self) {
        case ":method": request.method = unsafe String(decoding: value, as: UTF8.self)
        case ":path" where value.count > limits.targetBytesMax: refuse(HTTPResponse(status: 414))
        case ":path" where unsafe !Bytes.isTarget(value.span): refuse(HTTPResponse(status: 400))
        case ":path": request.target = unsafe String(decoding: value, as: UTF8.self)
        case ":authority":
            request.headers.append("host", unsafe String(decoding: value, as: UTF8.self))
        case ":scheme": break
        default: unsafe request.headers.append(name: name, value: value)
        }
    }

    /// Header fields are over.
    func endHeaders() {
        isHead = request.method == "HEAD"
        if request.method.isEmpty || request.target.isEmpty { refuse(HTTPResponse(status: 400)) }
        guard let expectation = request.headers["expect"] else { return }
        expectsContinue = expectation.lowercased() == "100-continue"
        if !expectsContinue { refuse(HTTPResponse(status: 417)) }
    }

    /// Takes a piece of the request's body.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe incoming.append(bytes)
        bodyCount += bytes.count
        unconsumedCount += bytes.count
    }

    func isWithinLimit(adding count: Int) -> Bool {
        bodyCount + count <= bodyBytesMax ?? .max
    }

    /// How much was taken since the last time, for which the client may send as much again.
    func consume() -> Int {
        defer { unconsumedCount = 0 }
        return unconsumedCount
    }

    /// Refuses the request, of which nothing is kept; the first reason counts.
    func refuse(_ response: HTTPResponse) {
        refusal = refusal ?? response
        _ = takeRequest()
    }

    /// Hands the request out, of which nothing is kept.
    func takeRequest() -> HTTPRequest {
        defer {
            request = HTTPRequest(method: "", target: "", version: .http2)
            incoming = IncomingBody()
            headerBytes = 0
        }
        request.body = incoming.bytes
        return request
    }
}
