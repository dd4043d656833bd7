package import CloudModel
package import CloudWire
package import HTTPServer

/// Writes the responses of the service, each with its headers and its UUID.
package final class ResponseWriter {
    /// What every response of the service begins with.
    private static let constantFields: HTTPHeaders = [
        "content-type": "application/json; charset=UTF-8",
        "x-apple-cloudkit-version": "1.0",
        "access-control-expose-headers":
            "X-Apple-Request-UUID,X-Responding-Instance,Via,Retry-After,"
            + "X-Apple-CloudKit-Web-Auth-Token",
    ]
    private static let uuidField = "x-apple-request-uuid"
    private static let tokenField = "x-apple-cloudkit-web-auth-token"

    private let identifiers: RequestIdentifiers
    private var replies: ReplyWriter
    private let authenticator: Authenticator

    package init(seed: UInt64, _ authenticator: Authenticator) {
        let identifiers = RequestIdentifiers(seed: seed)
        self.identifiers = identifiers
        replies = ReplyWriter(nextUUID: { identifiers.next() })
        self.authenticator = authenticator
    }

    // MARK: - Bodies

    /// Begins another response.
    func begin() { identifiers.begin() }

    package func write(_ error: CloudError) -> WireResponse { replies.write(error) }

    /// The body of a reply.
    ///
    /// - Parameter caller: The user record name to write for a zone owner of nil.
    func write(
        _ reply: CloudReply, to operation: WireOperation, caller: String, options: WireOptions
    ) -> WireResponse {
        replies.write(reply, to: operation, caller: caller, options: options)
    }

    func write(_ asset: Asset) -> WireResponse { replies.write(asset) }

    /// The UUID that was made last: of a request that failed as a whole, that in its body.
    package var latestUUID: String? { identifiers.latest }
    /// The first since ``begin()``: of a response with failed items, that of the first item.
    var firstUUID: String? { identifiers.first }

    // MARK: - Headers

    /// A response of the service, errors included.
    ///
    /// - Parameters:
    ///   - nextToken: The web token for the client's next request.
    ///   - uuid: The one in the body of a request that failed as a whole; nil: a new one.
    ///   - allow: The methods that the path takes.
    package func response(
        _ wire: consuming WireResponse, to request: HTTPRequest, nextToken: String? = nil,
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

    /// What the responses of a batch become that was rolled back.
    package var rollback: HTTPResponse {
        let wire = write(CloudError(.internalError, reason: "the change could not be stored"))
        var headers: HTTPHeaders = ["content-type": "application/json; charset=UTF-8"]
        if let uuid = identifiers.latest { headers.append(Self.uuidField, uuid) }
        return HTTPResponse(status: wire.status, headers: headers, body: wire.body)
    }

    /// The response to OPTIONS on any path of the service. A page may send any method anywhere, and read why it is
    /// refused.
    ///
    /// - Parameter allow: The methods that the path takes.
    package func preflight(_ request: HTTPRequest, allow: String) -> HTTPResponse {
        var headers: HTTPHeaders = ["allow": allow]
        guard mayBeRead(request) else {
            headers.append("vary", "origin")
            return HTTPResponse(status: 403, headers: headers)
        }
        Self.allowOrigin(request, &headers)
        headers.append("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS")
        if let asked = request["access-control-request-headers"] {
            headers.append("access-control-allow-headers", asked)
        }
        headers.append("access-control-max-age", "3600")
        return HTTPResponse(status: 200, headers: headers)
    }

    /// Whether the page that sent a request may read the response, according to the API token of the request.
    private func mayBeRead(_ request: HTTPRequest) -> Bool {
        authenticator.admitsReader(request) { WireQuery(request.query ?? "").apiToken }
    }

    /// Lets the page that sent a request read the response.
    static func allowOrigin(_ request: HTTPRequest, _ headers: inout HTTPHeaders) {
        if let origin = request["origin"] {
            headers.append("access-control-allow-origin", origin)
            headers.append("access-control-allow-credentials", "true")
            headers.append("vary", "origin")
        } else {
            headers.append("access-control-allow-origin", "*")
        }
    }
}

extension RequestJournal.Entry {
    /// Notes what is sent; nil: the connection is cut instead.
    mutating func note(_ response: HTTPResponse?) {
        status = response?.status ?? 0
        replyBytes = response.flatMap { $0.source.map(\.length) ?? $0.body.count } ?? 0
    }
}
