import AsyncOperations
import Basics
package import HTTPServer
import MockStore

/// The server's own world and its namespaces, each a world of its own: accounts, data, clock, faults, seed,
/// journal, switches and credentials.
///
/// Stands before all of them and hands each request on. Each commits by itself, see ``HTTPApplication``.
package final class Namespaces: HTTPApplication {
    /// Where requests go that name no namespace.
    package let home: NamespaceHost
    /// What the server held when it was started.
    private let beginning: StoreImage
    private let clock: WallClock
    private var worlds: [NamespaceName: NamespaceHost] = [:]
    /// Those that do not know the loop before their first request.
    private var unstarted: Set<NamespaceName> = []
    /// Names of forks that are being made.
    private var reserved: Set<NamespaceName> = []
    private let ownNames: [String]
    /// The world that the last request called by its host.
    private var lastCall: (host: String, world: NamespaceHost)?
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
        for world in worlds.values { world.close() }
        home.close()
    }

    // MARK: - Requests

    package func started(_ loop: HTTPLoop) {
        self.loop = loop
        loop.run(as: home) { home.started(loop) }
    }

    package func willStop(_ loop: HTTPLoop) {
        for world in [home] + worlds.values { loop.run(as: world) { world.willStop(loop) } }
    }

    package func recipient(
        of request: inout HTTPRequest, _ loop: HTTPLoop
    ) -> any HTTPApplication {
        if let lastCall, request["host"] == lastCall.host, request[NamespaceChoice.header] == nil,
            !request.target.hasPrefix(NamespaceChoice.pathPrefix)
        {
            return lastCall.world
        }
        do throws(AdminError) {
            let byHost =
                request[NamespaceChoice.header] == nil
                && !request.target.hasPrefix(NamespaceChoice.pathPrefix)
            let world = try world(
                of: try NamespaceChoice(takenFrom: &request, ownNames: ownNames), loop)
            if byHost, let host = request["host"] { lastCall = (host, world) }
            return world
        } catch {
            return NamespaceRefusal(error)
        }
    }

    /// The world that a request names, where there is no loop.
    func world(asked request: inout HTTPRequest) throws(AdminError) -> NamespaceHost {
        try world(of: try NamespaceChoice(takenFrom: &request, ownNames: ownNames), nil)
    }

    private func world(
        of choice: NamespaceChoice, _ loop: HTTPLoop?
    ) throws(AdminError) -> NamespaceHost {
        guard let text = choice.name else { return home }
        let name = try NamespaceName(text)
        let isKnown = worlds[name] != nil
        let world =
            if !isKnown, home.configuration.makesNamespaces {
                try add(name)
            } else {
                try find(name)
            }
        if let loop, unstarted.remove(name) != nil {
            loop.run(as: world) { world.started(loop) }
        }
        return world
    }

    package func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse { home.use(ofBodyOf: head, length: length, exchange, loop) }

    package func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer { home.handle(request, exchange, loop) }

    package func idle(_ loop: HTTPLoop) -> Bool { loop.run(as: home) { home.idle(loop) } }

    // MARK: - Administration

    /// The names of all namespaces with their worlds, in order.
    var all: [(name: String, world: NamespaceHost)] {
        worlds.map { ($0.key.description, $0.value) }.sorted { $0.name < $1.name }
    }

    func find(_ name: NamespaceName) throws(AdminError) -> NamespaceHost {
        guard let world = worlds[name] else {
            let names = worlds.keys.map(\.description)
            throw AdminError(
                status: 404,
                "there is no namespace \"\(name)\""
                    + (NearestName.closest(to: name.description, among: names)
                        .map { "; nearest: \"\($0)\"" } ?? "")
                    + "; create it with POST /_mock/v1/namespaces, or start the server with "
                    + "--auto-namespaces")
        }
        return world
    }

    /// Makes a namespace that begins as the server did.
    func add(_ name: NamespaceName) throws(AdminError) -> NamespaceHost {
        try requireRoom(for: name)
        do throws(MockStoreError) {
            let world = try makeWorld(name, try StoreCopy(of: beginning).finish(), like: nil)
            put(world, as: name)
            return world
        } catch {
            throw AdminError(error)
        }
    }

    /// Keeps a name for a namespace that is being made.
    func reserve(_ name: NamespaceName) throws(AdminError) {
        try requireRoom(for: name)
        reserved.insert(name)
    }

    /// Releases a reserved name.
    func release(_ name: NamespaceName) { reserved.remove(name) }

    private func requireRoom(for name: NamespaceName) throws(AdminError) {
        guard worlds[name] == nil, !reserved.contains(name) else {
            throw AdminError(status: 409, "the namespace \"\(name)\" exists already")
        }
        guard !ownNames.contains("\(name).localhost") else {
            throw AdminError(status: 409, "\"\(name).localhost\" is a name of the server itself")
        }
        guard worlds.count + reserved.count < home.configuration.namespacesMax else {
            throw AdminError(
                status: 409,
                "the limit is \(home.configuration.namespacesMax) namespaces: delete one")
        }
    }

    /// Creates a namespace that requests cannot reach yet.
    ///
    /// - Parameter origin: Whose switches, faults and time it has; nil: those that the server began with.
    func makeWorld(
        _ name: NamespaceName, _ image: StoreImage, like origin: NamespaceHost?
    ) throws(MockStoreError) -> NamespaceHost {
        let world: NamespaceHost
        do throws(MockServerError) {
            world = try NamespaceHost(
                home.configuration.ofNamespace, clock: clock,
                start: NamespaceStart(name, image, of: home))
        } catch {
            throw MockStoreError(.failed, error.reason)
        }
        world.administration.namespaces = self
        world.administration.caPEM = home.administration.caPEM
        world.baseURL = home.service.address.url(ofNamespace: name)
        if let origin { try world.takeOver(from: origin) }
        return world
    }

    /// Makes a namespace reachable.
    func put(_ world: NamespaceHost, as name: NamespaceName) {
        reserved.remove(name)
        worlds[name] = world
        unstarted.insert(name)
    }

    /// Deletes a namespace: requests that wait for a response of it get 404.
    func remove(_ name: NamespaceName) throws(AdminError) {
        let world = try find(name)
        worlds[name] = nil
        unstarted.remove(name)
        lastCall = nil
        loop?.end(
            world,
            with: NamespaceRefusal.response(
                AdminError(status: 404, "the namespace \"\(name)\" was deleted")))
        disposal.take(world)
    }
}
