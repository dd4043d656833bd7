import CloudClient
import CloudModel
import HTTPClient
import MockService

/// A mock server, as the mock cloud uses it: all worlds of it, at one depth.
protocol Backend: Sendable {
    var depth: MockDepth { get }
    /// What repeats its names, tokens and faults.
    var seed: UInt64 { get }
    /// Where its own world is, without a slash at the end.
    var url: String { get }
    /// What requests to the administration carry.
    var adminToken: AdminToken { get }
    /// The file with the certificate to trust; nil where there is no socket.
    var certificateFile: String? { get }

    /// Sends a request of any kind, at addresses of this server only.
    func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse
    /// A database as somebody who is signed in sees it.
    func database(
        at address: Database.Address, of person: Person, in world: World
    ) -> any CloudDatabase
    /// Ends the server and removes all that it kept; nothing can be asked afterwards.
    func stop() async
}

/// Somebody who is signed in.
struct Person: Sendable {
    let account: String
    /// nil: no device of its own, as in a browser.
    let device: String?
    let credential: Credential
}
