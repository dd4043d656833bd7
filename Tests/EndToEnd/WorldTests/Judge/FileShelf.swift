import CloudClient
import CloudModel
import HTTPClient

/// The files of a world, and where each can be had.
struct FileShelf: Sendable {
    private let addresses: [(thing: Thing, address: String)]
    private let host: WorldHost

    /// Puts the files there, as their people do.
    init(_ files: [World.File], _ host: WorldHost, _ service: WorldService) async throws {
        self.host = host
        var addresses: [(thing: Thing, address: String)] = []
        for file in files {
            guard let container = Container.ID(file.thing.container),
                let scope = Database.Scope(rawValue: file.thing.scope)
            else { throw WorldError("malformed: \(file.thing)") }
            let database = HTTPCloudDatabase(
                address: Database.Address(
                    container: container, environment: .development, scope: scope),
                endpoint: host.endpoint,
                credential: .apiToken(
                    service.apiToken, web: WebAuthTokenStore(token: service.token(file.user))),
                client: host.client, clock: service.clock)
            let zone: RecordZone.ID =
                file.thing.zone == "_defaultZone" ? .default : RecordZone.ID(file.thing.zone)
            let address = try await FileUpload(database: database, client: host.client)
                .save(file.thing.name, file: "the file of \(file.thing)", in: zone)
            addresses.append((file.thing, address))
        }
        self.addresses = addresses
    }

    /// What a command says of files against what their addresses say.
    ///
    /// - Parameter isQuiet: Whether nobody but our client did anything.
    func violations(
        of verdict: Verdict, _ act: World.Act, _ before: Contents, _ after: Contents,
        isQuiet: Bool
    ) async throws -> [Violation] {
        var violations: [Violation] = []
        for (thing, address) in addresses {
            let isThere = try await host.client.send(HTTPClientRequest(.get, address)).status == 200
            if after[thing] != nil, !isThere {
                violations.append(
                    Violation(kind: "S3 the file of what stays is gone", text: "\(thing)"))
            }
            guard verdict.isDone, act.verb != .plan, after[thing] == nil else { continue }
            if isThere {
                violations.append(
                    Violation(kind: "S1 done with a file that can be had", text: "\(thing)"))
            }
            if isQuiet, before[thing] != nil, act.faults.contains(World.nobodyMayAsk) {
                violations.append(
                    Violation(kind: "S1 done although nobody could ask", text: "\(thing)"))
            }
        }
        return violations
    }
}
