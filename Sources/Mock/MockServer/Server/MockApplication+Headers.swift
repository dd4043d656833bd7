import CloudWire
import HTTPServer

extension MockApplication {
    /// What every answer of the service begins with.
    private static let constantFields: HTTPHeaders = [
        "content-type": "application/json; charset=UTF-8",
        "x-apple-cloudkit-version": "1.0",
        "access-control-expose-headers":
            "X-Apple-Request-UUID,X-Responding-Instance,Via,Retry-After,"
            + "X-Apple-CloudKit-Web-Auth-Token",
    ]
    static let uuidField = "x-apple-request-uuid"
    private static let tokenField = "x-apple-cloudkit-web-auth-token"
    private static let methods = "GET, POST, PUT, DELETE, OPTIONS"

    /// The answer to OPTIONS on any path of the service. A page may send any method anywhere, and
    /// read why it is refused.
    func preflight(_ request: HTTPRequest) -> HTTPResponse {
        var headers: HTTPHeaders = ["allow": Self.allow(at: request.path)]
        guard mayBeRead(request) else {
            headers.append("vary", "origin")
            return HTTPResponse(status: 403, headers: headers)
        }
        Self.allowOrigin(request, &headers)
        headers.append("access-control-allow-methods", Self.methods)
        if let asked = request["access-control-request-headers"] {
            headers.append("access-control-allow-headers", asked)
        }
        headers.append("access-control-max-age", "3600")
        return HTTPResponse(status: 200, headers: headers)
    }

    /// Whether the page that asks may read the answer, as the API token of the request has it.
    private func mayBeRead(_ request: HTTPRequest) -> Bool {
        authenticator.admitsReader(request) { WireQuery(request.query ?? "").apiToken }
    }

    /// Lets the page that asked read the answer.
    static func allowOrigin(_ request: HTTPRequest, _ headers: inout HTTPHeaders) {
        if let origin = request["origin"] {
            headers.append("access-control-allow-origin", origin)
            headers.append("access-control-allow-credentials", "true")
            headers.append("vary", "origin")
        } else {
            headers.append("access-control-allow-origin", "*")
        }
    }

    /// An answer of the service, errors included.
    ///
    /// - Parameter uuid: The one in the body of a request that failed as a whole; nil: a new one.
    func response(
        _ wire: consuming WireResponse, to request: HTTPRequest, nextToken: String?,
        uuid: String?, allow: String? = nil
    ) -> HTTPResponse {
        var headers = Self.constantFields
        if mayBeRead(request) {
            Self.allowOrigin(request, &headers)
        } else {
            headers.append("vary", "origin")
        }
        if let nextToken { headers.append(Self.tokenField, nextToken) }
        headers.append(Self.uuidField, unique: uuid ?? identifiers.next())
        if let seconds = wire.retryAfterSeconds { headers.append("retry-after", "\(seconds)") }
        if let allow { headers.append("allow", allow) }
        return HTTPResponse(status: wire.status, headers: headers, body: wire.body)
    }
}

extension RequestJournal.Entry {
    /// Notes what is sent; nil: the connection is cut instead.
    mutating func note(_ response: HTTPResponse?) {
        status = response?.status ?? 0
        replyBytes = response.flatMap { $0.source.map(\.length) ?? $0.body.count } ?? 0
    }
}
