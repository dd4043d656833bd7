import AsyncOperations
import Basics
package import HTTPServer
package import MockAdmin
package import MockService
package import MockStore

/// The hosts of the server's own namespace and of all others: each has accounts, data, clock, faults, seed, journal,
/// settings and credentials of its own.
///
/// Stands before all of them and hands each request on. Each commits by itself, see ``HTTPApplication``.
package final class Namespaces: HTTPApplication {
    /// Where requests go that name no namespace.
    package let home: NamespaceHost
    /// What the server held when it was started.
    private let beginning: StoreImage
    private let clock: WallClock
    private var hosts: [NamespaceName: NamespaceHost] = [:]
    /// Those that do not know the loop before their first request.
    private var unstarted: Set<NamespaceName> = []
    /// Names of forks that are being made.
    private var reserved: Set<NamespaceName> = []
    private let ownNames: [String]
    /// The `Host` field of the last request that named its namespace by it alone, and where it went.
    private var lastCall: (field: String, namespace: NamespaceHost)?
    private weak var loop: HTTPLoop?
    private let disposal = Disposal()

    /// - Parameters:
    ///   - home: Holds what every namespace is to begin with.
    ///   - beginning: That, where the home's store may have held more before.
    init(
        _ home: NamespaceHost, beginning: MockStore? = nil, clock: WallClock
    ) throws(MockServerError) {
        self.home = home
        self.clock = clock
        ownNames = home.configuration.names.map { $0.lowercased() }
        do throws(MockStoreError) {
            self.beginning = try StoreCopy(of: beginning ?? home.store).finish()
        } catch {
            throw MockServerError(.storage, error.description)
        }
        home.administration.namespaces = self
    }

    /// Removes what all of them keep for the time of the process only.
    func close() {
        for host in hosts.values { host.close() }
        home.close()
    }

    // MARK: - Requests

    package func started(_ loop: HTTPLoop) {
        self.loop = loop
        loop.run(as: home) { home.started(loop) }
    }

    package func willStop(_ loop: HTTPLoop) {
        for host in [home] + hosts.values { loop.run(as: host) { host.willStop(loop) } }
    }

    package func recipient(
        of request: inout HTTPRequest, _ loop: HTTPLoop
    ) -> any HTTPApplication {
        let isByHostField =
            request[NamespaceChoice.header] == nil
            && !request.target.hasPrefix(NamespaceChoice.pathPrefix)
        if isByHostField, let lastCall, request["host"] == lastCall.field {
            return lastCall.namespace
        }
        do throws(MockError) {
            let host = try host(
                of: try NamespaceChoice(takenFrom: &request, ownNames: ownNames), loop)
            if isByHostField, let field = request["host"] { lastCall = (field, host) }
            return host
        } catch {
            return NamespaceRefusal(error)
        }
    }

    /// The host that a request names, where there is no loop.
    func host(asked request: inout HTTPRequest) throws(MockError) -> NamespaceHost {
        try host(of: try NamespaceChoice(takenFrom: &request, ownNames: ownNames), nil)
    }

    private func host(
        of choice: NamespaceChoice, _ loop: HTTPLoop?
    ) throws(MockError) -> NamespaceHost {
        guard let text = choice.name else { return home }
        let name = try NamespaceName(text)
        let isKnown = hosts[name] != nil
        let host =
            if !isKnown, home.configuration.makesNamespaces {
                try add(name)
            } else {
                try find(name)
            }
        if let loop, unstarted.remove(name) != nil {
            loop.run(as: host) { host.started(loop) }
        }
        return host
    }

    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse { home.use(ofBodyOf: head, length: length, exchange, loop) }

    package func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer { home.handle(request, exchange, loop) }

    package func idle(_ loop: HTTPLoop) -> Bool { loop.run(as: home) { home.idle(loop) } }

    // MARK: - Creating and deleting

    func find(_ name: NamespaceName) throws(MockError) -> NamespaceHost {
        guard let host = hosts[name] else {
            let names = hosts.keys.map(\.description)
            throw MockError(
                status: 404,
                "there is no namespace \"\(name)\""
                    + (NearestName.closest(to: name.description, among: names)
                        .map { "; nearest: \"\($0)\"" } ?? "")
                    + "; create it with POST /_mock/v1/namespaces, or start the server with "
                    + "--auto-namespaces")
        }
        return host
    }

    /// Makes a namespace that begins as the server did.
    private func add(_ name: NamespaceName) throws(MockError) -> NamespaceHost {
        try requireRoom(for: name)
        do throws(MockStoreError) {
            let host = try makeHost(name, try StoreCopy(of: beginning).finish(), like: nil)
            put(host, as: name)
            return host
        } catch {
            throw MockError(error)
        }
    }

    private func requireRoom(for name: NamespaceName) throws(MockError) {
        guard hosts[name] == nil, !reserved.contains(name) else {
            throw MockError(status: 409, "the namespace \"\(name)\" exists already")
        }
        guard !ownNames.contains("\(name).localhost") else {
            throw MockError(status: 409, "\"\(name).localhost\" is a name of the server itself")
        }
        guard hosts.count + reserved.count < home.configuration.namespacesMax else {
            throw MockError(
                status: 409,
                "the limit is \(home.configuration.namespacesMax) namespaces: delete one")
        }
    }

    /// Creates a namespace that requests cannot reach yet.
    ///
    /// - Parameter origin: Whose settings, faults and time it has; nil: those that the server began with.
    func makeHost(
        _ name: NamespaceName, _ image: StoreImage, like origin: NamespaceHost?
    ) throws(MockStoreError) -> NamespaceHost {
        let host: NamespaceHost
        do throws(MockServerError) {
            host = try NamespaceHost(
                home.configuration.ofNamespace, clock: clock,
                start: NamespaceStart(name, image, of: home))
        } catch {
            throw MockStoreError(.failed, error.reason)
        }
        host.administration.namespaces = self
        host.administration.caPEM = home.administration.caPEM
        host.baseURL = home.service.address.url(ofNamespace: name)
        if let origin { try host.takeOver(from: origin) }
        return host
    }

    /// Makes a namespace reachable.
    private func put(_ host: NamespaceHost, as name: NamespaceName) {
        reserved.remove(name)
        hosts[name] = host
        unstarted.insert(name)
    }

    /// Releases a name that was kept for a fork.
    func release(_ name: NamespaceName) { reserved.remove(name) }
}

extension Namespaces: NamespaceDirectory {
    package var summaries: [NamespaceSummary] {
        hosts.map { name, host in
            NamespaceSummary(
                name: name.description, url: host.baseURL, users: host.store.users.map(\.name))
        }.sorted { $0.name < $1.name }
    }

    package func create(_ name: NamespaceName) throws(MockError) -> CreatedNamespace {
        CreatedNamespace(try add(name), name)
    }

    package func fork(
        _ name: NamespaceName, of origin: NamespaceName?, at snapshot: String?
    ) throws(MockError) -> (job: any StoreJob, finish: () throws(MockError) -> CreatedNamespace) {
        let source = try origin.map { name throws(MockError) in try find(name) } ?? home
        if let snapshot, !source.store.snapshotNames.contains(snapshot) {
            throw MockError(
                status: 404,
                "there is no snapshot \"\(snapshot)\""
                    + NearestName.hint(for: snapshot, among: source.store.snapshotNames))
        }
        try requireRoom(for: name)
        let job: NamespaceFork
        do throws(MockStoreError) {
            job = try NamespaceFork(name, of: source, at: snapshot, self)
        } catch {
            throw MockError(error)
        }
        reserved.insert(name)
        return (
            job,
            { [self] () throws(MockError) in
                guard let host = job.host else {
                    throw MockError(status: 500, "nothing was copied")
                }
                put(host, as: name)
                return CreatedNamespace(host, name)
            }
        )
    }

    package func remove(_ name: NamespaceName) throws(MockError) {
        let host = try find(name)
        hosts[name] = nil
        unstarted.remove(name)
        lastCall = nil
        loop?.end(
            host,
            with: NamespaceRefusal.response(
                MockError(status: 404, "the namespace \"\(name)\" was deleted")))
        disposal.take(host)
    }
}

extension CreatedNamespace {
    fileprivate init(_ host: NamespaceHost, _ name: NamespaceName) {
        self.init(
            name: name, url: host.baseURL, apiToken: host.apiToken,
            apiTokens: host.administration.containerTokens,
            webTokens: host.store.users.map { ($0.name, host.issueWebToken(user: $0.name)) })
    }
}
