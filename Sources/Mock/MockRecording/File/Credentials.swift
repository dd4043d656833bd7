private import CloudWire

/// What tells whose request it is.
struct Credentials: Sendable, Hashable {
    let apiToken: String?
    let webToken: String?
    /// Of a server-to-server key.
    var keyID: String?
    /// Whether cookies came along, as Apple's own web apps send them.
    var hasCookies = false

    static let keyIDHeader = "x-apple-cloudkit-request-keyid"
    static let signatureHeader = "x-apple-cloudkit-request-signaturev1"
    /// Headers of answers that bring the next web token.
    static let nextTokenHeaders = [
        "x-apple-cloudkit-web-auth-token", "x-apple-cloudkit-session",
    ]

    init(query: String) {
        let query = WireQuery(query)
        apiToken = query.apiToken
        webToken = query.webAuthToken.flatMap { $0.isEmpty ? nil : $0 }
    }
}
