/// One HTTP/2 request and its answer.
final class HTTP2Stream {
    let id: Int32
    /// When its first frame came.
    let beganAt: Int64
    private(set) var method = ""
    private(set) var target = ""
    private(set) var headers = HTTPHeaders()
    var body: [UInt8] = []
    /// The client has more to send.
    var isReceiving = true
    /// The request is whole, or refused.
    var isComplete = false
    /// What came of the body after the refusal.
    var discardedBytes = 0
    /// Its answer was handed to nghttp2.
    var isAnswered = false
    /// The status to refuse it with, once its header fields are over.
    private(set) var refusal: Int?
    var expectsContinue = false
    private var headerBytes = 0
    /// The answer's body, and how much of it is sent.
    var answer: [UInt8] = []
    var answerSent = 0

    /// What a field costs beyond its bytes (RFC 9113 section 6.5.2).
    private static let fieldOverheadBytes = 32
    private static let host = Array("host".utf8)

    init(id: Int32, now: Int64) {
        self.id = id
        beganAt = now
        headers.reserveForRequest()
    }

    /// Takes one field of the request's head. Names and values were checked by nghttp2.
    func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limits: HTTPLimits
    ) {
        guard refusal == nil else { return }
        headerBytes += name.count + value.count + Self.fieldOverheadBytes
        guard headerBytes <= limits.headerBytesMax + limits.headerFieldsMax * 32,
            headers.fields.count < limits.headerFieldsMax
        else {
            refusal = 431
            return
        }
        if unsafe name.first == Bytes.colon {
            unsafe takePseudo(name, value, limits)
        } else {
            unsafe headers.append(name: name, value: value)
        }
    }

    /// nghttp2 has let through known names only, and each once.
    private func takePseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        _ limits: HTTPLimits
    ) {
        switch (name.count, unsafe name[1]) {
        case (7, 0x6D):  // :method
            method = unsafe String(decoding: value, as: UTF8.self)
        case (5, _):  // :path
            if value.count > limits.targetBytesMax {
                refusal = 414
            } else if unsafe value.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) {
                target = unsafe String(decoding: value, as: UTF8.self)
            } else {
                refusal = 400
            }
        case (10, _):  // :authority
            unsafe Self.host.withUnsafeBufferPointer { host in
                unsafe headers.append(name: host, value: value)
            }
        default: break  // :scheme
        }
    }

    /// Header fields are over.
    func endHeaders() {
        if target.isEmpty, refusal == nil { refusal = 400 }
        guard let expectation = headers["expect"] else { return }
        if expectation.lowercased() == "100-continue" {
            expectsContinue = true
        } else if refusal == nil {
            refusal = 417
        }
    }

    /// Refuses the request; the first reason counts.
    func refuse(_ status: Int) {
        refusal = refusal ?? status
        body = []
    }

    /// The request, whose body moves out.
    func takeRequest() -> HTTPRequest {
        defer {
            body = []
            headers = HTTPHeaders()
        }
        return HTTPRequest(
            method: method, target: target, version: .http2, headers: headers, body: body)
    }
}
