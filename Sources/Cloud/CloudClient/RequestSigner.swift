import Basics
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

    /// The HTTP request for `wire`.
    ///
    /// - Parameter webToken: Says who the user is; with an API token only.
    /// - Throws: `authenticationFailed` when the key cannot sign.
    func sign(
        _ wire: WireRequest, emptyBody: EmptyBody, webToken: String? = nil
    ) throws(CloudError) -> HTTPClientRequest {
        var request = HTTPClientRequest(
            wire.method == "GET" ? .get : .post, endpoint.baseURL + wire.path, body: wire.body)
        if !wire.body.isEmpty {
            request.headers = [("Content-Type", "application/json; charset=utf-8")]
        }
        switch credential {
        case .apiToken(let token, _):
            // Each byte but letters, digits, "-", ".", "_" and "~" is escaped: a "+" would
            // arrive as a blank.
            request.url += "?ckAPIToken=" + WireQuery.encoded(token)
            if let webToken {
                request.url += "&ckWebAuthToken=" + WireQuery.encoded(webToken)
            }
            return request
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
            return request
        }
    }
}
