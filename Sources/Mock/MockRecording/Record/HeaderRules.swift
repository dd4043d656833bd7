/// Which headers go through the proxy, and which are kept.
enum HeaderRules {
    /// Of a connection, or made anew by whoever sends.
    private static let ofConnections: Set = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "accept-encoding",
        "keep-alive", "te", "trailer", "upgrade", "http2-settings", "proxy-connection",
        "proxy-authorization", "referer",
    ]

    /// What answers bring and may be kept: everything else could tell of a person or a machine.
    private static let kept: Set = [
        "accept-ranges", "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "access-control-allow-origin",
        "access-control-expose-headers", "access-control-max-age", "allow", "cache-control",
        "content-disposition", "content-range", "content-type", "etag", "last-modified",
        "retry-after", "vary", "x-apple-cloudkit-version", "x-apple-request-uuid",
    ]

    /// Whether a request's header is handed on.
    static func isSent(_ name: String) -> Bool { !ofConnections.contains(name) }

    /// Whether an answer's header is kept, and handed on.
    static func isKept(_ name: String) -> Bool {
        kept.contains(name) || Credentials.nextTokenHeaders.contains(name)
            || name == cookieHeader
    }

    static let cookieHeader = "set-cookie"
}
