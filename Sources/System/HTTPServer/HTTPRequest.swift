/// One request. Where it is handled, its body is complete.
package struct HTTPRequest: Sendable {
    /// The versions of HTTP that are spoken here.
    package enum Version: Sendable, Hashable { case http10, http11, http2 }

    /// As sent; case matters. Unknown methods come through too.
    package var method: String
    /// The request target as sent: path and query, or `*`.
    package var target: String { didSet { (path, query) = Self.split(target) } }
    /// The target up to the first `?`, still percent-encoded.
    package private(set) var path: String
    /// The target after the first `?`, still percent-encoded; nil without one.
    package private(set) var query: String?
    package var version: Version
    /// Names in lower case. HTTP/2's `:authority` stands here as `host`.
    package var headers: HTTPHeaders
    /// The whole body, unless an ``HTTPBodySink`` has taken it.
    package var body: [UInt8]

    /// For tests and tools; the server makes its own.
    package init(
        method: String, target: String, version: Version = .http11, headers: HTTPHeaders = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        (path, query) = Self.split(target)
        self.version = version
        self.headers = headers
        self.body = body
    }

    private static func split(_ target: String) -> (path: String, query: String?) {
        guard let mark = target.utf8.firstIndex(of: 0x3F) else { return (target, nil) }
        return (String(target[..<mark]), String(target[target.utf8.index(after: mark)...]))
    }

    /// The first value of a header, its name in lower case.
    package subscript(_ name: String) -> String? { headers[name] }
}
