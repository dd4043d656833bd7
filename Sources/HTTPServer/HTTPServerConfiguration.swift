package import OpenSSL

/// How a server listens and what it puts up with.
package struct HTTPServerConfiguration: Sendable {
    /// Numeric addresses. One whose family this machine lacks is skipped if another works.
    package var addresses = ["127.0.0.1", "::1"]
    /// 0 takes any free port, the same for all addresses.
    package var port: UInt16 = 0
    /// nil speaks plain HTTP/1.1.
    package var tls: TLSContext?
    package var limits = HTTPLimits()
    package var deadlines = HTTPDeadlines()
    /// Seconds since 1970, for the `date` header; asked at most once a second.
    package var unixSeconds: @Sendable () -> Int64

    package init(tls: TLSContext?, unixSeconds: @escaping @Sendable () -> Int64) {
        self.tls = tls
        self.unixSeconds = unixSeconds
    }
}
