import Basics
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

    /// Reads `/database/1/CONTAINER/ENVIRONMENT/SCOPE/OPERATION`; push tokens are also asked for
    /// without a scope, and below `/device/1/`.
    ///
    /// - Parameters:
    ///   - path: As sent, without the query.
    ///   - query: What follows the `?`; empty when there is none.
    /// - Throws: `WireRouteError` for what leads nowhere. `OPTIONS` is the server's own business:
    ///   answer it before asking here.
    package static func parse(
        method: String, path: String, query: String
    ) throws(WireRouteError) -> WireRoute {
        var rest = Array(path.utf8)[...]
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
        guard let environmentName = Self.part(&rest) else { throw .unknownOperation(path) }
        let afterEnvironment = rest
        guard var scopeName = Self.part(&rest) else { throw .unknownOperation(path) }
        // Who says no database means none, and can be anybody.
        if scopeName == "tokens" {
            scopeName = Database.Scope.public.rawValue
            rest = afterEnvironment
        }
        guard isDatabase || Database.Scope(rawValue: scopeName) != nil else {
            throw .unknownOperation(path)
        }
        // CloudKitPy shouts it.
        guard
            let environment = Container.Environment(rawValue: environmentName)
                ?? Container.Environment(rawValue: environmentName.lowercased())
        else {
            throw .unknownEnvironment(environmentName)
        }
        guard let scope = Database.Scope(rawValue: scopeName) else {
            throw .unknownScope(scopeName)
        }
        let name = WireQuery.decoded(rest)
        guard let operation = WireOperation(rawValue: name), isDatabase || operation.isOfDevices
        else { throw .unknownOperation(name) }
        guard operation.facts.methods.contains(method) else {
            throw .wrongMethod(allowed: operation.facts.methods + ["OPTIONS"])
        }
        return WireRoute(
            address: Database.Address(
                container: container, environment: environment, scope: scope),
            operation: operation, query: WireQuery(query))
    }

    /// Takes the text before the next slash, percent-decoded, and the slash.
    private static func part(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard !rest.isEmpty else { return nil }
        let part = rest.prefix { $0 != 0x2F }
        rest = rest[part.endIndex...].dropFirst()
        return WireQuery.decoded(part)
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
        case .notTheService:
            CloudError(
                .notFound, reason: "could not find a handler for this endpoint", httpStatus: 404,
                rule: "unknown-path")
        case .unknownOperation(let name):
            CloudError(
                .notFound,
                reason: "could not find a handler for this endpoint; nearest: "
                    + (NearestName.closest(
                        to: name, among: WireOperation.standard.map(\.rawValue)) ?? ""),
                httpStatus: 404, rule: "unknown-path")
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

/// The query string of a request, parameter by parameter in order.
package struct WireQuery: Sendable, Hashable {
    /// One parameter.
    package struct Item: Sendable, Hashable {
        /// Percent-decoded.
        package let name: String
        /// Percent-decoded; a `+` stays a `+`.
        package let value: String
    }

    /// Every parameter, in order.
    package let items: [Item]

    /// - Parameter text: What follows the `?`, without it.
    package init(_ text: String) {
        items = Array(text.utf8).split(separator: 0x26).map { part in
            let end = part.firstIndex(of: 0x3D) ?? part.endIndex
            return Item(
                name: Self.decoded(part[..<end]),
                value: Self.decoded(part[end...].dropFirst()))
        }
    }

    /// The first value under `name`, percent-decoded.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The parameters besides credentials that the service reads; others are ignored.
    package static let members: [Shape.Member] = [
        .text("clientId"), .flag("getCurrentSyncToken"),
    ]

    /// `ckAPIToken`, percent-decoded.
    package var apiToken: String? { self["ckAPIToken"] }
    /// `ckWebAuthToken`, or `ckSession`; a raw `+` and a space are both read as `+`.
    package var webAuthToken: String? {
        (self["ckWebAuthToken"] ?? self["ckSession"]).map { token in
            token.utf8.contains(0x20) ? String(token.map { $0 == " " ? "+" : $0 }) : token
        }
    }
    /// What the client calls itself; nil when it does not say.
    package var clientID: String? { self["clientId"].flatMap { $0.isEmpty ? nil : $0 } }
    /// Whether queries and lookups are to answer with the zone's sync token.
    package var wantsCurrentSyncToken: Bool {
        self["getCurrentSyncToken"]?.lowercased() == "true"
    }

    /// `text` with its percent escapes resolved; malformed ones stay as they are.
    fileprivate static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(0x25) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == 0x25, at + 2 < bytes.endIndex,
                let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `text` with everything but letters, digits, `-`, `.`, `_` and `~` escaped.
    package static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.append(byte)
            default: result += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
