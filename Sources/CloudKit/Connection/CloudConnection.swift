import AsyncOperations
import CloudClient
package import CloudModel
import Foundation
import HTTPClient
import OpenSSL

/// The way to the databases of a configuration: one client, and a token store for each container.
package final class CloudConnection: Sendable {
    private enum Way: Sendable {
        case problem(String)
        case server(CloudKitConfiguration, CloudEndpoint, HTTPClient)
        case handed(
            defaultContainer: String?, AssetWay?,
            @Sendable (Database.Address) -> any CloudDatabase)
    }
    private let way: Way
    /// Made with the first asset: it has a thread of its own.
    private let assetClient = Locked<HTTPClient?>(nil)
    private let open = Locked<[Database.Address: any CloudDatabase]>([:])
    private let credentials = Locked<[String: Credential]>([:])
    /// What the service asked to wait with: one for all databases, as on a device.
    private let throttles: ThrottleMemory
    let accounts: AccountWatch

    /// Contacts nobody; what is wrong with the configuration is told at the first request.
    package init(_ configuration: CloudKitConfiguration) {
        throttles = ThrottleMemory(clock: ContinuousClock())
        accounts = .processWide
        guard let server = configuration.server else {
            way = .server(configuration, .apple, CloudEndpoint.apple.makeClient())
            return
        }
        let trust: HTTPClientConfiguration.Trust =
            server.certificateAuthorityFile.map { .file($0) } ?? .system
        guard let endpoint = CloudEndpoint(server.url, trust: trust) else {
            let problem = CloudEndpoint.problem(in: server.url) ?? "cannot be used"
            way = .problem("the server's address \(problem)")
            return
        }
        way = .server(configuration, endpoint, endpoint.makeClient())
    }

    /// A connection to databases in this process, for tests.
    ///
    /// - Parameter assets: nil: files of assets are neither sent nor fetched.
    package init(
        defaultContainer: String? = nil, clock: some Clock<Duration> = ContinuousClock(),
        notifications: NotificationCenter = .default, assets: AssetWay? = nil,
        databases: @escaping @Sendable (Database.Address) -> any CloudDatabase
    ) {
        throttles = ThrottleMemory(clock: clock)
        accounts = AccountWatch(notifications)
        way = .handed(defaultContainer: defaultContainer, assets, databases)
    }

    private init(_ problem: CloudKitConfigurationProblem) {
        throttles = ThrottleMemory(clock: ContinuousClock())
        accounts = .processWide
        way = .problem(problem.description)
    }

    private static let processWideSlot = Locked<CloudConnection?>(nil)

    /// What `CKContainer.default()` and `CKContainer(identifier:)` use.
    static var processWide: CloudConnection {
        processWideSlot.withLock { slot in
            if let known = slot { return known }
            let made: CloudConnection
            do throws(CloudKitConfigurationProblem) {
                let variables = ProcessInfo.processInfo.environment
                made = CloudConnection(try CloudKitConfiguration(environment: variables))
            } catch {
                made = CloudConnection(error)
            }
            slot = made
            return made
        }
    }

    static func setProcessWide(_ connection: CloudConnection) {
        processWideSlot.withLock { $0 = connection }
    }

    /// The identifier of the default container, where one is known.
    var defaultContainer: String? {
        switch way {
        case .problem: nil
        case .server(let configuration, _, _): configuration.defaultContainerIdentifier
        case .handed(let identifier, _, _): identifier
        }
    }

    /// A database of a container; nil means the default one.
    func database(
        of identifier: String?, scope: Database.Scope
    ) throws(CKError) -> any CloudDatabase {
        if case .problem(let reason) = way { throw CKError(.notAuthenticated, reason) }
        guard let name = identifier ?? defaultContainer else {
            throw CKError(
                .badContainer,
                "there is no default container: \(CloudKitConfiguration.defaultAdvice)")
        }
        guard let container = Container.ID(name) else {
            let problem = Container.ID.problem(in: name) ?? "is malformed"
            throw CKError(.badContainer, "the container identifier \(problem)")
        }
        var environment = Container.Environment.development
        if case .server(let configuration, _, _) = way, configuration.environment == .production {
            environment = .production
        }
        let address = Database.Address(
            container: container, environment: environment, scope: scope)
        if let known = open.withLock({ $0[address] }) { return known }
        let made = ThrottledDatabase(try make(address), memory: throttles)
        return open.withLock { open in
            let database = open[address] ?? made
            open[address] = database
            return database
        }
    }

    private func make(_ address: Database.Address) throws(CKError) -> any CloudDatabase {
        switch way {
        case .problem(let reason): throw CKError(.notAuthenticated, reason)
        case .handed(_, _, let databases): return databases(address)
        case .server(let configuration, let endpoint, let client):
            return HTTPCloudDatabase(
                address: address, endpoint: endpoint,
                credential: try credential(address.container.rawValue, configuration),
                client: client, clock: .system)
        }
    }

    /// How the bytes of assets get to the service and back; nil: not at all.
    var assets: AssetWay? {
        switch way {
        case .problem: return nil
        case .handed(_, let assets, _): return assets
        case .server(_, let endpoint, _):
            let client = assetClient.withLock { client in
                let known =
                    client ?? endpoint.makeAssetClient(transfersInFlight: AssetWay.transfersMax)
                client = known
                return known
            }
            let send: HTTPCloudDatabase.Exchange = { request throws(HTTPClientError) in
                try await client.send(request)
            }
            return AssetWay(
                reading: AssetDownloads(endpoint: endpoint, send: send),
                sending: AssetUploads(endpoint: endpoint, send: send), isApple: endpoint == .apple)
        }
    }

    /// The newest web auth token of a container's user.
    func webAuthToken(
        of identifier: String?, for apiToken: String?
    ) throws(CKError) -> String {
        if case .problem(let reason) = way { throw CKError(.notAuthenticated, reason) }
        guard case .server(let configuration, _, _) = way,
            let container = identifier ?? defaultContainer,
            case .apiToken(let known, let store?) = try credential(container, configuration),
            let token = store.current
        else { throw CKError(.notAuthenticated, "nobody is signed in with a web auth token") }
        guard apiToken == known else {
            throw CKError(.permissionFailure, "the API token is not the container's")
        }
        return token
    }

    /// The credential of a container: each rotates its own web auth token.
    private func credential(
        _ container: String, _ configuration: CloudKitConfiguration
    ) throws(CKError) -> Credential {
        if let known = credentials.withLock({ $0[container] }) { return known }
        let made: Credential
        switch configuration.credentials[container] ?? configuration.credential {
        case nil:
            throw CKError(
                .notAuthenticated,
                "no credential for the container: \(CloudKitConfiguration.advice)")
        case .tokens(let api, let web):
            made = .apiToken(api, web: web.map { WebAuthTokenStore(token: $0) })
        case .serverKey(let id, let pem):
            do throws(OpenSSLError) {
                made = .serverKey(id: id, try P256.PrivateKey(pem: Array(pem.utf8)))
            } catch {
                throw CKError(.notAuthenticated, "the private key is no P-256 key in PEM")
            }
        }
        return credentials.withLock { credentials in
            let credential = credentials[container] ?? made
            credentials[container] = credential
            return credential
        }
    }

    deinit {
        if case .server(_, _, let client) = way { client.shutdown() }
        assetClient.withLock { $0 }?.shutdown()
    }
}
