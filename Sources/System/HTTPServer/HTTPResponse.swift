/// One answer. `content-length`, `date` and connection fields are added by the server.
package struct HTTPResponse {
    package var status: Int
    package var headers: HTTPHeaders
    /// The whole body, unless there is a ``source``.
    package var body: [UInt8] = []
    /// Makes the body in pieces.
    package var source: (any HTTPBodySource)?
    /// Whether it is sent even if ``HTTPApplication/endOfTurn(_:)`` throws; others are replaced by its failure response.
    package var survivesRollback = false

    /// - Parameter status: 200 to 599.
    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        precondition(status >= 200 && status <= 599, "not a final HTTP status")
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer whose body is made while it is sent.
    package init(status: Int, headers: HTTPHeaders = [:], source: any HTTPBodySource) {
        self.init(status: status, headers: headers)
        self.source = source
    }

    /// Whether this kind of answer has a body, and a length.
    var hasBody: Bool { status != 204 && status != 304 }
    /// The body's length; nil when nobody knows it before the end.
    var length: Int? { source.map(\.length) ?? body.count }

    /// Says that memory is short.
    static var overloaded: HTTPResponse {
        HTTPResponse(
            status: 503, headers: ["retry-after": "1", "content-type": "text/plain"],
            body: Array("the server's memory budget has no room for this now\n".utf8))
    }

    /// Says to who speaks without TLS where TLS is spoken what is wrong.
    static var plainText: HTTPResponse {
        HTTPResponse(
            status: 400, headers: ["content-type": "text/plain; charset=UTF-8"],
            body: Array("this port speaks HTTPS only: begin the address with https://\n".utf8))
    }

    /// This answer, or a refusal where it is longer than may be kept.
    func limited(to bytesMax: Int) -> HTTPResponse {
        body.count <= bytesMax ? self : .overloaded
    }
}
