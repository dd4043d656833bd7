package import CloudModel

/// Where a request goes and what it asks for, as far as method, path and query tell.
package struct WireRoute: Sendable, Hashable {
    package let address: Database.Address
    package let operation: WireOperation
    package let query: WireQuery

    package init(
        address: Database.Address, operation: WireOperation, query: WireQuery = WireQuery("")
    ) {
        self.address = address
        self.operation = operation
        self.query = query
    }

    /// Reads `/database/1/CONTAINER/ENVIRONMENT/SCOPE/OPERATION`.
    ///
    /// - Parameters:
    ///   - path: As sent, without the query.
    ///   - query: What follows the `?`; empty when there is none.
    /// - Throws: `WireRouteError` for what leads nowhere. `OPTIONS` is the server's own business:
    ///   answer it before asking here.
    package static func parse(
        method: String, path: String, query: String
    ) throws(WireRouteError) -> WireRoute {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map {
            WireQuery.decoded(String($0))
        }
        guard parts.count > 3, parts[0].isEmpty, parts[1] == "database" || parts[1] == "device"
        else { throw .notTheService }
        guard parts[2] == "1" else { throw .unknownOperation(path) }
        guard let container = Container.ID(parts[3]) else { throw .malformedContainer(parts[3]) }
        guard parts.count > 5, parts[1] == "database" else { throw .unknownOperation(path) }
        guard let environment = Container.Environment(rawValue: parts[4]) else {
            throw .unknownEnvironment(parts[4])
        }
        guard let scope = Database.Scope(rawValue: parts[5]) else {
            throw .unknownScope(parts[5])
        }
        let name = parts[6...].joined(separator: "/")
        guard let operation = WireOperation(rawValue: name) else {
            throw .unknownOperation(name)
        }
        guard operation.methods.contains(method) else {
            throw .wrongMethod(allowed: operation.methods + ["OPTIONS"])
        }
        return WireRoute(
            address: Database.Address(
                container: container, environment: environment, scope: scope),
            operation: operation, query: WireQuery(query))
    }
}

/// Why method and path lead to no operation.
package enum WireRouteError: Error, Sendable, Hashable {
    /// The path does not begin with `/database/` or `/device/`: not a request of the service.
    case notTheService
    case malformedContainer(String)
    case unknownEnvironment(String)
    case unknownScope(String)
    case unknownOperation(String)
    case wrongMethod(allowed: [String])

    /// The value of the `Allow` header; only with a wrong method.
    package var allow: String? {
        if case .wrongMethod(let allowed) = self { allowed.joined(separator: ", ") } else { nil }
    }

    /// The same as the service would say it; its `httpStatus` is 404, 405, 400 or 401.
    package var cloudError: CloudError {
        switch self {
        case .notTheService, .unknownOperation:
            CloudError(
                .notFound, reason: "could not find a handler for this endpoint", httpStatus: 404)
        case .wrongMethod(let allowed):
            CloudError(
                .badRequest, reason: "use \(allowed.joined(separator: ", "))", httpStatus: 405)
        case .unknownScope:
            CloudError(
                .badRequest, reason: "the database must be public, private or shared",
                httpStatus: 400)
        case .malformedContainer, .unknownEnvironment:
            CloudError(
                .authenticationFailed, reason: "unknown container or environment", httpStatus: 401)
        }
    }
}
