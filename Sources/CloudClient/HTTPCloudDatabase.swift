package import CloudModel
import CloudWire
package import HTTPClient

/// One database of one user over HTTPS. Mirrors `CKDatabase`'s place, not its interface.
///
/// Repeats nothing, with one exception: a signed request without a body that is refused with 401
/// is signed once more in the other form that the service is known to accept.
package final class HTTPCloudDatabase: CloudDatabase {
    /// Container, environment and scope.
    package let address: Database.Address
    private let signer: RequestSigner
    private let client: HTTPClient

    /// - Parameters:
    ///   - credential: Databases of one container and environment share its token store.
    ///   - client: From ``CloudEndpoint/makeClient()``; shared by all databases of an endpoint.
    ///   - clock: Dates signatures, and is compared with the server's when one is refused.
    package init(
        address: Database.Address, endpoint: CloudEndpoint, credential: Credential,
        client: HTTPClient, clock: WallClock
    ) {
        self.address = address
        self.client = client
        signer = RequestSigner(credential: credential, endpoint: endpoint, clock: clock)
    }

    /// Sends a command and reads the reply.
    ///
    /// - Throws: ``CloudError``: the service's own code, or `networkFailure`, `responseLost`,
    ///   `certificateUntrusted`, `unexpectedResponse`, `cancelled`.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let wire = WireRequest(command, at: address)
        var response = try await exchange(wire, emptyBody: .nothing)
        if response.status == 401, wire.body.isEmpty, case .serverKey = signer.credential {
            response = try await exchange(wire, emptyBody: .hashOfNothing)
        }
        do throws(CloudError) {
            return try ReplyReader.read(
                response.body, status: response.status,
                retryAfterHeader: response[header: "retry-after"], to: command)
        } catch {
            guard response.status == 401 else { throw error }
            throw error.hintingAtClock(
                serverDate: response[header: "date"], local: signer.clock.now)
        }
    }

    /// One request and its answer; keeps the token store up to date.
    private func exchange(
        _ wire: WireRequest, emptyBody: RequestSigner.EmptyBody
    ) async throws(CloudError) -> HTTPClientResponse {
        let signed = try signer.sign(wire, emptyBody: emptyBody)
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(signed.request)
        } catch {
            throw CloudError(error)
        }
        if case .apiToken(_, let web?) = signer.credential {
            if let next = response[header: Self.webAuthTokenHeader] {
                web.rotate(to: next)
            } else if response.status == 421, let spent = signed.webToken,
                Self.asksToSignIn(response.body)
            {
                web.forget(ifStill: spent)
            }
        }
        return response
    }

    private static let webAuthTokenHeader = RequestSigning.webAuthTokenHeader.lowercased()

    /// Whether a 421 is the service's, and not HTTP's "misdirected request".
    private static func asksToSignIn(_ body: [UInt8]) -> Bool {
        do throws(CloudError) {
            _ = try ReplyReader.read(body, status: 421, to: .caller)
            return false
        } catch {
            return error.code == .authenticationRequired
        }
    }
}
