/// A request to send.
package struct HTTPClientRequest: Sendable {
    /// What is asked for.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
        case head = "HEAD"
    }

    package var method: Method
    /// `https://…`; `http://` for loopback hosts only. Escaped as it goes on the wire.
    package var url: String
    /// Names and values without line breaks.
    package var headers: [(name: String, value: String)]
    /// Sent as it is; empty means none.
    package var body: [UInt8]
    /// How long it may take to the last byte of the answer, if that is less than the client's
    /// ``HTTPClientConfiguration/requestTimeout``; nil: as long as that.
    package var timeout: Duration?
    /// Takes the body of an answer with status 200 piece by piece, so that it need not fit into
    /// memory; nil: it is kept in the answer, like every other body.
    package var sink: BodySink?
    /// Gives the body of a POST piece by piece, so that it need not fit into memory, in place of
    /// ``body``.
    package var source: BodySource?

    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}
