import CloudModel
import CloudWire
import HTTPClient
import OpenSSL

/// Adds a credential to requests.
struct RequestSigner: Sendable {
    /// How a signature spells that there is no body: sources disagree.
    enum EmptyBody: Sendable { case nothing, hashOfNothing }

    let credential: Credential
    let endpoint: CloudEndpoint
    let clock: WallClock

    /// A request ready to send, and the web token that it bears.
    struct Signed: Sendable {
        var request: HTTPClientRequest
        var webToken: String?
    }

    /// The HTTP request for `wire`.
    ///
    /// - Throws: `authenticationFailed` when the key cannot sign.
    func sign(_ wire: WireRequest, emptyBody: EmptyBody) throws(CloudError) -> Signed {
        var request = HTTPClientRequest(
            wire.method == "GET" ? .get : .post, endpoint.baseURL + wire.path, body: wire.body)
        if !wire.body.isEmpty {
            request.headers = [("Content-Type", "application/json; charset=utf-8")]
        }
        switch credential {
        case .apiToken(let token, let web):
            // Each byte but letters, digits, "-", ".", "_" and "~" is escaped: a "+" would
            // arrive as a blank.
            request.url += "?ckAPIToken=" + WireQuery.encoded(token)
            let webToken = web?.current
            if let webToken {
                request.url += "&ckWebAuthToken=" + WireQuery.encoded(webToken)
            }
            return Signed(request: request, webToken: webToken)
        case .serverKey(let id, let key):
            let date = clock.now.iso8601
            let hash =
                wire.body.isEmpty && emptyBody == .nothing
                ? "" : Base64.encode(SHA256.hash(wire.body))
            let message = RequestSigning.message(date: date, bodyHash: hash, path: wire.path)
            let signature: [UInt8]
            do throws(OpenSSLError) {
                signature = try key.sign(Array(message.utf8))
            } catch {
                throw CloudError(
                    .authenticationFailed, reason: "the key cannot sign: \(error.reason)")
            }
            request.headers += [
                (RequestSigning.keyIDHeader, id),
                (RequestSigning.dateHeader, date),
                (RequestSigning.signatureHeader, Base64.encode(signature)),
            ]
            return Signed(request: request)
        }
    }
}
