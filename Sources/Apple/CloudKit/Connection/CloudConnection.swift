import AsyncOperations
import CloudClient
package import CloudModel
import FileSystem
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
    /// Made with the first wait for a push: such requests stay open, and others must not wait for them.
    private let courierClient = Locked<HTTPClient?>(nil)
    private let open = Locked<[Database.Address: any CloudDatabase]>([:])
    private let stateFolder: String?
    private let longLived = Locked<[String: LongLivedFolder]>([:])
    private let credentials = Locked<[String: Credential]>([:])
    /// What the service asked to wait with: one for all databases, as on a device.
    private let throttles: ThrottleMemory
    let accounts: AccountWatch

    /// Contacts nobody; what is wrong with the configuration is told at the first request.
    package init(_ configuration: CloudKitConfiguration) {
        throttles = ThrottleMemory(clock: ContinuousClock())
        accounts = .processWide
        stateFolder = configuration.stateFolder.map(Files.absolutePath) ?? Self.usualStateFolder
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
    /// - Parameters:
    ///   - assets: nil: files of assets are neither sent nor fetched.
    ///   - stateFolder: Absolute; nil: no operation is long-lived.
    package init(
        defaultContainer: String? = nil, clock: some Clock<Duration> = ContinuousClock(),
        notifications: NotificationCenter = .default, assets: AssetWay? = nil,
        stateFolder: String? = nil,
        databases: @escaping @Sendable (Database.Address) -> any CloudDatabase
    ) {
        throttles = ThrottleMemory(clock: clock)
        accounts = AccountWatch(notifications)
        self.stateFolder = stateFolder
        way = .handed(defaultContainer: defaultContainer, assets, databases)
    }

    private init(_ problem: CloudKitConfigurationProblem) {
        throttles = ThrottleMemory(clock: ContinuousClock())
        accounts = .processWide
        stateFolder = nil
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

    /// Waits for pushes that are open at a time; more of them wait for their turn.
    private static let couriersMax = 64

    /// Whether pushes can be waited for.
    var hasCourier: Bool { if case .server = way { true } else { false } }

    /// Whether this leads to released apps' data.
    var isProduction: Bool {
        if case .server(let configuration, _, _) = way {
            configuration.environment == .production
        } else {
            false
        }
    }

    /// Where long-lived operations of a container are kept; nil: nowhere.
    func longLivedFolder(of identifier: String?) -> LongLivedFolder? {
        guard let stateFolder, let container = identifier ?? defaultContainer else { return nil }
        var server = ""
        if case .server(_, let endpoint, _) = way { server = endpoint.baseURL }
        return longLived.withLock { folders in
            let folder =
                folders[container]
                ?? LongLivedFolder(
                    in: stateFolder, server: server, isProduction: isProduction,
                    container: container)
            folders[container] = folder
            return folder
        }
    }

    /// Waits at a courier's address for a push; empty: there is none for now.
    ///
    /// - Throws: `notAuthenticated` where the courier does not know the device,
    ///   `serverRejectedRequest` without a server, and what keeps the network from answering.
    func poll(_ courier: String) async throws(CKError) -> [UInt8] {
        guard case .server(_, let endpoint, _) = way else {
            throw CKError(.serverRejectedRequest, "pushes need a server, and none is configured")
        }
        let client = courierClient.withLock { client in
            let known = client ?? endpoint.makeClient(requestsInFlight: Self.couriersMax)
            client = known
            return known
        }
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(HTTPClientRequest(.get, courier))
        } catch {
            throw CKError(CloudError(error), .request)
        }
        switch response.status {
        case 200: return response.body
        case 401, 403:
            throw CKError(.notAuthenticated, "the push service does not know this device")
        case 429, 503: throw CKError(.serviceUnavailable, "the push service asked to wait")
        default:
            throw CKError(.internalError, "the push service returned status \(response.status)")
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
        else { throw CKError(.notAuthenticated, "no user is signed in with a web auth token") }
        guard apiToken == known else {
            throw CKError(.permissionFailure, "the API token is for another container")
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
        case .webAuthTokenFile(let api, let path):
            let files = Files(workingFolder: Files.currentFolder)
            let file = WebAuthTokenFile(path, in: files, clock: ContinuousClock())
            made = .apiToken(api, web: WebAuthTokenStore(keptIn: file))
        case .serverKey(let id, let pem):
            do throws(OpenSSLError) {
                made = .serverKey(id: id, try P256.PrivateKey(pem: Array(pem.utf8)))
            } catch {
                throw CKError(.notAuthenticated, "the private key is not a P-256 key in PEM")
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
        courierClient.withLock { $0 }?.shutdown()
    }
}
