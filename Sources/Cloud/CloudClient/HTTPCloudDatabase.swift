import AsyncOperations
package import Basics
package import CloudModel
import CloudWire
package import HTTPClient

/// One database of one user over HTTPS. Mirrors `CKDatabase`'s place, not its interface.
///
/// Repeats nothing, with three exceptions that change nothing: a signed request without a body that
/// got 401 is signed once more in the other form that the service is known to accept, one whose web
/// token another request had used up, or whose user has signed in again since, is sent once more with
/// the next, and a page that is larger than may be read is asked for again at half the size, down to
/// one record.
package final class HTTPCloudDatabase: CloudDatabase {
    /// Container, environment and scope.
    package let address: Database.Address
    private let signer: RequestSigner
    /// Sends a request, and gives its answer.
    package typealias Exchange =
        @Sendable (HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse

    private let exchangeOne: Exchange
    /// The page size that this database's answers were found to fit in.
    private let pageSize = Locked(CloudRead.pageSizeStandard)

    /// - Parameters:
    ///   - credential: Databases of one container and environment share its token store.
    ///   - client: From ``CloudEndpoint/makeClient()``; shared by all databases of an endpoint.
    ///   - clock: Dates signatures, and is compared with the server's when one is refused.
    package convenience init(
        address: Database.Address, endpoint: CloudEndpoint, credential: Credential,
        client: HTTPClient, clock: WallClock
    ) {
        self.init(address: address, endpoint: endpoint, credential: credential, clock: clock) {
            request throws(HTTPClientError) in try await client.send(request)
        }
    }

    /// A database behind another carrier than an HTTP client: a server in this process.
    package init(
        address: Database.Address, endpoint: CloudEndpoint, credential: Credential,
        clock: WallClock, exchange: @escaping Exchange
    ) {
        self.address = address
        exchangeOne = exchange
        signer = RequestSigner(credential: credential, endpoint: endpoint, clock: clock)
    }

    /// Sends a command and reads the reply.
    ///
    /// - Throws: ``CloudError``: the service's own code, or `networkFailure`, `responseLost`,
    ///   `certificateUntrusted`, `unexpectedResponse`, `answerTooLarge`, `cancelled`.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        guard case .read(let read) = command, read.pageSize != nil else {
            return try await ask(command)
        }
        while true {
            let limited = read.limited(toPagesOf: pageSize.withLock { $0 })
            do throws(CloudError) {
                return try await ask(.read(limited))
            } catch {
                guard error.code == .answerTooLarge, let size = limited.pageSize, size > 1
                else { throw error }
                pageSize.withLock { $0 = min($0, size / 2) }
            }
        }
    }

    private func ask(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let wire = WireRequest(command, at: address)
        var response = try await exchange(wire, emptyBody: .nothing)
        if response.status == 401, wire.body.isEmpty, case .serverKey = signer.credential {
            response = try await exchange(wire, emptyBody: .hashOfNothing)
        }
        do throws(CloudError) {
            return try ReplyReader.read(
                response.body, status: response.status,
                retryAfterHeader: response[header: "retry-after"], to: command,
                in: address.scope)
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
        guard case .apiToken(_, let web?) = signer.credential else {
            return try await send(signer.sign(wire, emptyBody: emptyBody))
        }
        var repeats = Self.repeatsMax
        while true {
            guard let token = try await web.lend() else {
                let response = try await send(signer.sign(wire, emptyBody: emptyBody))
                guard repeats > 0, verdict(of: response) == .refused,
                    try await web.signInAgain()
                else { return response }
                repeats -= 1
                continue
            }
            let response: HTTPClientResponse
            do throws(CloudError) {
                response = try await send(
                    signer.sign(wire, emptyBody: emptyBody, webToken: token))
            } catch {
                _ = try await web.settle(token, .nothing)
                throw error
            }
            let mayRepeat = try await web.settle(token, verdict(of: response))
            guard mayRepeat, repeats > 0 else { return response }
            repeats -= 1
        }
    }

    private func send(
        _ request: HTTPClientRequest
    ) async throws(CloudError) -> HTTPClientResponse {
        do throws(HTTPClientError) {
            return try await exchangeOne(request)
        } catch {
            throw CloudError(error)
        }
    }

    private func verdict(of response: HTTPClientResponse) -> WebAuthTokenStore.Verdict {
        if let next = response[header: Self.webAuthTokenHeader] { return .next(next) }
        return response.status == 421 && Self.asksToSignIn(response.body) ? .refused : .nothing
    }

    /// How often a request is sent again with another token: once another request had used its token
    /// up, and once somebody has signed in again.
    private static let repeatsMax = 2
    private static let webAuthTokenHeader = RequestSigning.webAuthTokenHeader.lowercased()

    /// Whether a 421 is the service's, and not HTTP's "misdirected request".
    private static func asksToSignIn(_ body: [UInt8]) -> Bool {
        do throws(CloudError) {
            _ = try ReplyReader.read(body, status: 421, to: .read(.caller))
            return false
        } catch {
            return error.code == .authenticationRequired
        }
    }
}
