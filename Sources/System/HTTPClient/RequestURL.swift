private import CCurl

/// A URL that may be requested, as libcurl itself understands it.
struct RequestURL: Sendable {
    let text: String
    let host: String
    /// Scheme, host and port: where a connection leads to.
    let origin: String
    /// Whether the answer comes over TLS.
    let isSecure: Bool
    /// Whether it names this very machine, which no proxy may be asked for.
    let isLoopback: Bool

    /// The longest URL that is sent.
    static let bytesMax = 64 << 10

    /// Checks a URL: `https`, or `http` to a loopback host; no user, no password.
    init(_ text: String) throws(HTTPClientError) {
        guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw Self.refused(
                "the URL is too long or contains characters that must be escaped")
        }
        guard let handle = unsafe curl_url() else {
            throw Self.refused("out of memory")
        }
        defer { unsafe curl_url_cleanup(handle) }
        guard unsafe curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw Self.refused("the URL is malformed")
        }
        func part(_ which: CURLUPart, _ flags: Int32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(handle, which, &value, UInt32(flags)) == CURLUE_OK,
                let value = unsafe value
            else { return nil }
            defer { unsafe curl_free(value) }
            return unsafe String(cString: value)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty,
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT)
        else { throw Self.refused("the URL has no host") }
        guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
            throw Self.refused("a URL must not contain a user or a password")
        }
        self.text = text
        self.host = host
        origin = "\(scheme)://\(host.lowercased()):\(port)"
        isSecure = scheme == "https"
        isLoopback = Self.isLoopback(host)
        guard scheme == "https" || (scheme == "http" && isLoopback) else {
            throw Self.refused(
                "\(scheme):// is not allowed for \(host): use https:// (http:// is for this "
                    + "machine only)")
        }
    }

    private static func refused(_ message: String) -> HTTPClientError {
        HTTPClientError(.invalidRequest, message, mayHaveBeenCarriedOut: false)
    }

    /// `localhost`, `127.0.0.0/8` in its plain form, `[::1]`.
    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "[::1]" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
