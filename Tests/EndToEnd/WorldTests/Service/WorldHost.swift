import AsyncOperations
import CloudClient
import Foundation
import HTTPClient
import HTTPServer
import OpenSSL

/// A TLS server on a thread of its own, and a client that trusts it: one world after another.
final class WorldHost: Sendable {
    let endpoint: CloudEndpoint
    let client: HTTPClient
    private let server: HTTPServer
    private let thread: DedicatedThread
    private let current = Locked<WorldService?>(nil)

    init() throws {
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority.make(now: now)
        let tls = try TLSContext(server: authority.issue(for: ["localhost"], now: now))
        var configuration = HTTPServerConfiguration(tls: tls, unixSeconds: { now })
        configuration.addresses = ["127.0.0.1"]
        let server = try HTTPServer(configuration)
        let address = "https://localhost:\(server.port)"
        guard
            let endpoint = CloudEndpoint(address, trust: .pem(authority.certificatePEM))
        else { throw WorldError("no address: \(address)") }
        self.server = server
        self.endpoint = endpoint
        client = endpoint.makeClient()
        let current = current
        thread = DedicatedThread(label: "world") { server.run(Application(current: current)) }
    }

    deinit {
        client.shutdown()
        server.stop(drain: .zero)
        thread.join()
    }

    /// Puts a world behind the address, in place of the one before.
    func serve(_ service: WorldService) { current.withLock { $0 = service } }

    private final class Application: HTTPApplication {
        private let current: Locked<WorldService?>

        init(current: Locked<WorldService?>) { self.current = current }

        func handle(
            _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
        ) -> HTTPAnswer {
            guard let service = current.withLock({ $0 }) else { return .cut }
            return service.answer(request).map { .respond($0) } ?? .cut
        }
    }
}

/// The test itself is wrong.
struct WorldError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
