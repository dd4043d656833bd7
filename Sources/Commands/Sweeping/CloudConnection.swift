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
    /// - Parameters:
    ///   - stateFolder: Where web sign-ins are kept.
    ///   - requestsInFlight: As many as there will be at a time.
    init(
        _ list: ContainerList, at server: ServerChoice, in environment: Environment,
        stateFolder: String, requestsInFlight: Int = 16
    ) throws(ConfigurationError) {
        let endpoint = try CloudEndpoint(list, at: server)
        let reader = SecretReader(
            list, in: environment.source, signIns: SignInFolder(stateFolder: stateFolder))
        var credentials: [Container.ID: Credential] = [:]
        // Each token rotates by itself, for all containers that it is given for.
        var stores: [WebAuthToken: WebAuthTokenStore] = [:]
        for entry in list.containers {
            switch try reader.secrets(for: entry, at: server) {
            case .tokens(let api, let web):
                let store = web.map { stores[$0] ?? Self.store(for: $0, in: environment) }
                if let web { stores[web] = store }
                credentials[entry.id] = .apiToken(api, web: store)
            case .serverKey(let id, let pem):
                credentials[entry.id] = .serverKey(id: id, try Self.key(pem, of: list, entry))
            }
        }
        self.endpoint = endpoint
        self.credentials = credentials
        clock = environment.wallClock
        client = endpoint.makeClient(requestsInFlight: requestsInFlight)
    }

    private static func store(
        for token: WebAuthToken, in environment: Environment
    ) -> WebAuthTokenStore {
        switch token {
        case .given(let text): WebAuthTokenStore(token: text)
        case .file(_, let path), .signIn(let path):
            WebAuthTokenStore(
                keptIn: WebAuthTokenFile(path, in: environment.files, clock: environment.clock))
        }
    }

    private static func key(
        _ pem: [UInt8], of list: ContainerList, _ entry: ContainerList.Entry
    ) throws(ConfigurationError) -> P256.PrivateKey {
        do throws(OpenSSLError) {
            return try P256.PrivateKey(pem: pem)
        } catch {
            let place = list.credentials(for: entry)?.privateKey?.place
            throw list.error("\"privateKey\" is no P-256 key in PEM", at: place)
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

extension CloudEndpoint {
    /// Where a list's server is.
    init(_ list: ContainerList, at server: ServerChoice) throws(ConfigurationError) {
        let trust: HTTPClientConfiguration.Trust =
            server.authorityFile.map { .file($0) } ?? .system
        guard let endpoint = CloudEndpoint(server.url, trust: trust) else {
            let problem = CloudEndpoint.problem(in: server.url) ?? "cannot be used"
            throw list.error("the server's address \(problem)", at: list.server?.url.place)
        }
        self = endpoint
    }
}
