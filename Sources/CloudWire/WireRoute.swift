package import CloudModel

/// Where a request goes and what it asks for, as far as method, path and query tell.
package struct WireRoute: Sendable, Hashable {
    /// The database that is meant.
    package let address: Database.Address
    /// What is asked of it.
    package let operation: WireOperation
    /// Tokens and options.
    package let query: WireQuery

    /// A route of these parts.
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
        var rest = path.utf8[...]
        guard rest.first == 0x2F else { throw .notTheService }
        rest = rest.dropFirst()
        let service = Self.part(&rest)
        let isDatabase = service == "database"
        guard isDatabase || service == "device", let version = Self.part(&rest) else {
            throw .notTheService
        }
        guard version == "1" else { throw .unknownOperation(path) }
        let containerName = Self.part(&rest) ?? ""
        guard let container = Container.ID(containerName) else {
            throw containerName.isEmpty ? .notTheService : .malformedContainer(containerName)
        }
        let parts = (environment: Self.part(&rest), scope: Self.part(&rest))
        guard isDatabase, let environmentName = parts.environment, let scopeName = parts.scope
        else { throw .unknownOperation(path) }
        guard let environment = Container.Environment(rawValue: environmentName) else {
            throw .unknownEnvironment(environmentName)
        }
        guard let scope = Database.Scope(rawValue: scopeName) else {
            throw .unknownScope(scopeName)
        }
        let name = WireQuery.decoded(String(Substring(rest)))
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

    /// Takes the text before the next slash, percent-decoded, and the slash.
    private static func part(_ rest: inout Substring.UTF8View) -> String? {
        guard !rest.isEmpty else { return nil }
        let part = rest.prefix { $0 != 0x2F }
        rest = rest[part.endIndex...].dropFirst()
        return WireQuery.decoded(String(Substring(part)))
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
