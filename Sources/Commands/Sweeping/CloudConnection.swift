import CloudClient
import CloudModel
import Configuration
import HTTPClient
import OpenSSL

/// The way to the containers of a list: one client, and the credentials of each container.
final class CloudConnection: Sendable {
    private let endpoint: CloudEndpoint
    private let client: HTTPClient
    private let credentials: [Container.ID: Credential]
    private let clock: WallClock

    /// Reads the secrets; contacts nobody.
    ///
    /// - Parameter requestsInFlight: As many as there will be at a time.
    init(
        _ list: ContainerList, at server: ServerChoice, in environment: Environment,
        requestsInFlight: Int = 16
    ) throws(ConfigurationError) {
        let trust: HTTPClientConfiguration.Trust =
            server.authorityFile.map { .file($0) } ?? .system
        guard let endpoint = CloudEndpoint(server.url, trust: trust) else {
            let problem = CloudEndpoint.problem(in: server.url) ?? "cannot be used"
            throw list.error("the server's address \(problem)", at: list.server?.url.place)
        }
        let reader = SecretReader(list, in: environment.source)
        var credentials: [Container.ID: Credential] = [:]
        // Each token rotates by itself, for all containers that it is given for.
        var stores: [String: WebAuthTokenStore] = [:]
        for entry in list.containers {
            credentials[entry.id] = try Self.credential(
                reader.secrets(for: entry, at: server), of: list, entry, &stores)
        }
        self.endpoint = endpoint
        self.credentials = credentials
        clock = environment.wallClock
        client = endpoint.makeClient(requestsInFlight: requestsInFlight)
    }

    private static func credential(
        _ secrets: AccessSecrets, of list: ContainerList, _ entry: ContainerList.Entry,
        _ stores: inout [String: WebAuthTokenStore]
    ) throws(ConfigurationError) -> Credential {
        switch secrets {
        case .tokens(let api, let web):
            guard let web else { return .apiToken(api, web: nil) }
            let store = stores["\(api)\n\(web)"] ?? WebAuthTokenStore(token: web)
            stores["\(api)\n\(web)"] = store
            return .apiToken(api, web: store)
        case .serverKey(let id, let pem):
            do throws(OpenSSLError) {
                return .serverKey(id: id, try P256.PrivateKey(pem: pem))
            } catch {
                let place = list.credentials(for: entry)?.privateKey?.place
                throw list.error("\"privateKey\" is no P-256 key in PEM", at: place)
            }
        }
    }

    /// The database at an address of the list.
    ///
    /// - Precondition: The list has the container.
    func database(at address: Database.Address) -> any CloudDatabase {
        guard let credential = credentials[address.container] else {
            preconditionFailure("a container outside the list was asked for")
        }
        return HTTPCloudDatabase(
            address: address, endpoint: endpoint, credential: credential, client: client,
            clock: clock)
    }

    /// Asks the server for anything, to see its answer's headers.
    func knock() async throws(HTTPClientError) -> HTTPClientResponse {
        try await client.send(HTTPClientRequest(.get, endpoint.baseURL + "/"))
    }

    /// Which key the server has proven to hold, in hexadecimal; nil before its first answer.
    var serverKey: String? { endpoint.serverKey(seenBy: client) }

    /// Closes the connections.
    func close() { client.shutdown() }
}
