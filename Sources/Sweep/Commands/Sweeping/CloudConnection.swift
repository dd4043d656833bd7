import AsyncOperations
import Basics
import CloudClient
import CloudCommandLine
import CloudModel
import CommandLine
import Configuration
import HTTPClient
import OpenSSL

/// The way to the containers of a list: one client, and the credentials of each container.
final class CloudConnection: Sendable {
    private let endpoint: CloudEndpoint
    private let client: HTTPClient
    private let assetClient: HTTPClient
    private let credentials: [Container.ID: Credential]
    private let clock: WallClock
    /// The server's, by its answers.
    let serverClock = ServerClock()
    /// Who is signed in to each container, as the service says.
    private let people: Locked<[Container.ID: String]>

    /// Reads the secrets; contacts nobody.
    ///
    /// - Parameters:
    ///   - stateFolder: Where web sign-ins are kept.
    ///   - requestsInFlight: As many as there will be at a time.
    ///   - signInAgain: Asks for another sign-in when one ends in the middle; nil: nobody is asked.
    init(
        _ list: ContainerList, at server: ServerChoice, in console: Console,
        stateFolder: String, requestsInFlight: Int = 16, signInAgain: SignInAgain? = nil
    ) throws(ConfigurationError) {
        let environment = console.environment
        let endpoint = try CloudEndpoint(list, at: server)
        let client = endpoint.makeClient(requestsInFlight: requestsInFlight)
        let people = Locked<[Container.ID: String]>([:])
        let reader = SecretReader(
            list, in: environment.source, signIns: SignInFolder(stateFolder: stateFolder))
        var credentials: [Container.ID: Credential] = [:]
        // Each token rotates by itself, for all containers that it is given for.
        var stores: [WebAuthToken: WebAuthTokenStore] = [:]
        for entry in list.containers {
            switch try reader.secrets(for: entry, at: server) {
            case .tokens(let api, let web):
                let signIn = SignIn(
                    console: console, endpoint: endpoint, client: client,
                    address: Database.Address(
                        container: entry.id, environment: list.environment, scope: .public),
                    apiToken: api, way: .browser(port: 0), timeout: SignIn.timeoutStandard)
                var ask: WebAuthTokenStore.SignIn?
                if let signInAgain {
                    ask = { () async throws(CloudError) in
                        try await signInAgain.ask(signIn, for: people.withLock { $0[entry.id] })
                    }
                }
                let store = web.map {
                    stores[$0] ?? Self.store(for: $0, in: environment, signIn: ask)
                }
                if let web { stores[web] = store }
                credentials[entry.id] = .apiToken(api, web: store)
            case .serverKey(let id, let pem):
                credentials[entry.id] = .serverKey(id: id, try Self.key(pem, of: list, entry))
            }
        }
        self.endpoint = endpoint
        self.credentials = credentials
        clock = environment.wallClock
        self.client = client
        self.people = people
        assetClient = endpoint.makeAssetClient(transfersInFlight: requestsInFlight)
    }

    private static func store(
        for token: WebAuthToken, in environment: Environment,
        signIn: WebAuthTokenStore.SignIn?
    ) -> WebAuthTokenStore {
        switch token {
        case .given(let text): return WebAuthTokenStore(token: text, signIn: signIn)
        case .file(_, let path), .signIn(let path):
            let file = WebAuthTokenFile(path, in: environment.files, clock: environment.clock)
            guard let signIn else { return WebAuthTokenStore(keptIn: file) }
            return WebAuthTokenStore(keptIn: file) { () async throws(CloudError) in
                guard let token = try await signIn() else { return nil }
                try await file.begin(with: token)
                return token
            }
        }
    }

    private static func key(
        _ pem: [UInt8], of list: ContainerList, _ entry: ContainerList.Entry
    ) throws(ConfigurationError) -> P256.PrivateKey {
        do throws(OpenSSLError) {
            return try P256.PrivateKey(pem: pem)
        } catch {
            let place = list.credentials(for: entry)?.privateKey?.place
            throw list.error("\"privateKey\" is not a P-256 key in PEM", at: place)
        }
    }

    /// The database at an address of the list.
    ///
    /// - Precondition: The list has the container.
    func database(at address: Database.Address) -> any CloudDatabase {
        guard let credential = credentials[address.container] else {
            preconditionFailure("a container outside the list was requested")
        }
        let database = HTTPCloudDatabase(
            address: address, endpoint: endpoint, credential: credential, clock: clock
        ) { [client, clock, serverClock] request throws(HTTPClientError) in
            let response = try await client.send(request)
            serverClock.note(response[header: "date"], at: clock.now)
            return response
        }
        return CallerNotingDatabase(database) { [people] person in
            people.withLock { $0[address.container] = person }
        }
    }

    /// The bytes of assets of any container.
    var assets: AssetDownloads { AssetDownloads(endpoint: endpoint, client: assetClient) }

    /// Asks the server for anything, to see its answer's headers.
    func knock() async throws(HTTPClientError) -> HTTPClientResponse {
        try await client.send(HTTPClientRequest(.get, endpoint.baseURL + "/"))
    }

    /// Whether requests to a container are signed with a server-to-server key, for nobody who is signed
    /// in.
    func hasServerKey(for container: Container.ID) -> Bool {
        if case .serverKey = credentials[container] { true } else { false }
    }

    /// Which key the server has proven to hold, in hexadecimal; nil before its first answer.
    var serverKey: String? { endpoint.serverKey(seenBy: client) }

    /// Closes the connections.
    func close() {
        client.shutdown()
        assetClient.shutdown()
    }
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
