import AsyncOperations
import CloudClient
import CloudModel
import Foundation
import HTTPClient
import MockHost
import MockService

/// A mock server on a port of its own, on a thread of this process, and a client that trusts it alone.
final class SocketBackend: Backend {
    let depth = MockDepth.socket
    let seed: UInt64
    let adminToken: AdminToken
    let url: String
    let certificateFile: String?
    private let folder: URL
    private let server: MockServer
    private let thread: DedicatedThread
    private let client: HTTPClient

    init(_ given: MockServerConfiguration) throws(MockServerError) {
        let folder = Edge.temporaryFolder()
        var configuration = given
        configuration.stateFolder = folder.path
        let server = try MockServer(configuration, clock: .system)
        let ready: MockReady
        do throws(MockServerError) {
            ready = try server.start()
        } catch {
            Edge.remove(folder)
            throw error
        }
        (seed, url, certificateFile) = (ready.seed, ready.url, ready.caFile)
        adminToken = ready.adminToken
        client = HTTPClient(
            configuration: HTTPClientConfiguration(
                trust: .file(ready.caFile), requestsInFlight: Self.requestsInFlight))
        thread = DedicatedThread(label: "mock cloud") {
            // What ends it early, each later request says: there is no connection.
            try? server.run()
        }
        (self.folder, self.server) = (folder, server)
    }

    /// Many tests may share one server.
    private static let requestsInFlight = 64

    func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse { try await client.send(request) }

    func database(
        at address: Database.Address, of person: Person, in world: World
    ) -> any CloudDatabase {
        HTTPCloudDatabase(
            address: address, endpoint: world.endpoint, credential: person.credential,
            client: client, clock: .system)
    }

    func stop() async {
        client.shutdown()
        server.stop(drain: .zero)
        let thread = thread
        await withCheckedContinuation { continuation in
            _ = DedicatedThread(label: "mock end") {
                thread.join()
                continuation.resume()
            }
        }
        Edge.remove(folder)
    }
}
