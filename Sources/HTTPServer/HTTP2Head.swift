/// The head of one HTTP/2 request, field by field. A value, so that taking a field is one access.
struct HTTP2Head {
    private(set) var method = ""
    private(set) var target = ""
    private(set) var headers = HTTPHeaders()
    /// The status to refuse the request with, once its header fields are over.
    private(set) var refusal: Int?
    private var headerBytes = 0
    private let latestTarget: String

    /// What a field costs beyond its bytes (RFC 9113 section 6.5.2).
    private static let fieldOverheadBytes = 32
    private static let host = Array("host".utf8)

    /// - Parameter latestTarget: The last good target of the connection: a client that sends it
    ///   again costs neither a check nor memory.
    init(latestTarget: String) {
        self.latestTarget = latestTarget
        headers.reserveForRequest()
    }

    /// Takes one field. Names and values were checked by nghttp2.
    mutating func take(
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
    private mutating func takePseudo(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        _ limits: HTTPLimits
    ) {
        switch (name.count, unsafe name[1]) {
        case (7, 0x6D):  // :method
            method = unsafe String(decoding: value, as: UTF8.self)
        case (5, _):  // :path
            if unsafe Bytes.isSame(value, as: latestTarget) {
                target = latestTarget
            } else if value.count > limits.targetBytesMax {
                refusal = 414
            } else if unsafe Bytes.isTarget(value.span) {
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

    /// Header fields are over. Says whether the client waits to be told to go on.
    mutating func end() -> Bool {
        if target.isEmpty, refusal == nil { refusal = 400 }
        guard let expectation = headers["expect"] else { return false }
        if expectation.lowercased() == "100-continue" { return true }
        refuse(417)
        return false
    }

    /// Refuses the request; the first reason counts.
    mutating func refuse(_ status: Int) { refusal = refusal ?? status }

    /// Gives the request away, whose head then is empty.
    mutating func takeRequest(body: [UInt8]) -> HTTPRequest {
        defer { headers = HTTPHeaders() }
        return HTTPRequest(
            method: method, target: target, version: .http2, headers: headers, body: body)
    }
}
