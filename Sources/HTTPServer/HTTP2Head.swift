/// One HTTP/2 request while it comes, field by field. A value, so that taking a field is one access.
struct HTTP2Head {
    /// Before its own method, target and fields have come, those of some earlier request: a client
    /// that sends the same again costs neither a check nor memory.
    private var request: HTTPRequest
    private var hasMethod = false
    private var hasTarget = false
    /// Whether only the answer's head is wanted.
    private(set) var isHead = false
    /// The status to refuse the request with, once its header fields are over.
    private(set) var refusal: Int?
    private var headerBytes = 0

    /// What a field costs beyond its bytes (RFC 9113 section 6.5.2).
    private static let fieldOverheadBytes = 32
    private static let host = Array("host".utf8)

    /// - Parameter old: A request that is over, whose memory is used again.
    init(reusing old: consuming HTTPRequest) {
        old.headers.removeAll()
        old.body.removeAll(keepingCapacity: true)
        request = old
    }

    /// How much of the body has come.
    var bodyCount: Int { request.body.count }

    /// Takes one field. Names and values were checked by nghttp2.
    mutating func take(
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
        if unsafe name.first == Bytes.colon {
            unsafe takePseudo(name, value, limits)
        } else {
            unsafe request.headers.append(name: name, value: value)
        }
    }

    /// nghttp2 has let through known names only, and each once.
    private mutating func takePseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        _ limits: HTTPLimits
    ) {
        switch (name.count, unsafe name[1]) {
        case (7, 0x6D):  // :method
            hasMethod = true
            if unsafe !Bytes.isSame(value, as: request.method) {
                request.method = unsafe String(decoding: value, as: UTF8.self)
            }
            isHead = request.method == "HEAD"
        case (5, _):  // :path
            hasTarget = true
            if unsafe Bytes.isSame(value, as: request.target) {
                return
            } else if value.count > limits.targetBytesMax {
                refusal = 414
            } else if unsafe Bytes.isTarget(value.span) {
                request.target = unsafe String(decoding: value, as: UTF8.self)
            } else {
                refusal = 400
            }
        case (10, _):  // :authority
            unsafe Self.host.withUnsafeBufferPointer { host in
                unsafe request.headers.append(name: host, value: value)
            }
        default: break  // :scheme
        }
    }

    /// Takes a piece of the body.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe request.body.append(contentsOf: bytes)
    }

    /// Header fields are over. Says whether the client waits to be told to go on.
    mutating func end() -> Bool {
        if !hasMethod || !hasTarget || request.target.isEmpty { refusal = refusal ?? 400 }
        guard let expectation = request.headers["expect"] else { return false }
        if expectation.lowercased() == "100-continue" { return true }
        refuse(417)
        return false
    }

    /// Refuses the request; the first reason counts.
    mutating func refuse(_ status: Int) {
        refusal = refusal ?? status
        request.body = []
    }

    /// Gives the request away, which then is blank.
    mutating func takeRequest() -> HTTPRequest {
        var given = HTTPRequest.blank
        swap(&given, &request)
        return given
    }
}
