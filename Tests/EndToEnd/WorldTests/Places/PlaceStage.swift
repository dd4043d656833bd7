import AsyncOperations
import CloudClient
import CloudCourier
import CloudModel
import DeletionPlanning
import Foundation
import SweepEngine

/// Two people, one container and a sweep of the first person's data there, over real TLS.
final class PlaceStage: Sendable {
    static let container = "iCloud.world.a"
    static let types = ["Note", "Tag"]

    let service: WorldService
    let host: WorldHost
    private let folder = NSTemporaryDirectory() + "/cksweep-place-" + UUID().uuidString

    init() throws {
        host = try WorldHost()
        service = try WorldService(WorldService.Setup(seed: 1))
        host.serve(service)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: What there is

    func database(of user: String, _ scope: Database.Scope) throws -> HTTPCloudDatabase {
        guard let container = Container.ID(Self.container) else { throw WorldError("malformed") }
        return HTTPCloudDatabase(
            address: Database.Address(
                container: container, environment: .development, scope: scope),
            endpoint: host.endpoint,
            credential: .apiToken(
                service.apiToken, web: WebAuthTokenStore(token: service.token(user))),
            client: host.client, clock: service.clock)
    }

    func name(of user: String) throws -> String {
        try service.userRecordName(of: user, in: Self.container)
    }

    /// Makes a zone of a person with records in it.
    func makeZone(_ zone: String, of user: String, records: [String] = []) async throws {
        _ = try await database(of: user, .private).modifyZones([.create(RecordZone.ID(zone))])
        try await save(records.map { RecordOperation.make($0) }, in: RecordZone.ID(zone), user)
    }

    /// Saves records, all of which must be taken.
    func save(
        _ operations: [RecordOperation], in zone: RecordZone.ID, _ user: String,
        _ scope: Database.Scope = .private
    ) async throws {
        guard !operations.isEmpty else { return }
        let reply = try await database(of: user, scope).modifyRecords(
            RecordModifyRequest(operations: operations, zoneID: zone))
        for item in reply.records {
            if case .failure(let name, let error) = item { throw WorldError("\(name): \(error)") }
        }
    }

    /// Lets one person write in a zone of another, or below one record of it.
    func share(
        _ zone: String, below root: String? = nil, of user: String = "ben",
        with guest: String = "ada"
    ) async throws {
        let zone = RecordZone.ID(zone)
        var operation = RecordOperation(
            .create, recordName: root.map { "share-\($0)" } ?? Share.zoneWideName,
            recordType: Share.recordType)
        operation.share = Share.Change(publicPermission: .readWrite)
        let owner = try database(of: user, .private)
        if let root {
            let reply = try await owner.records(
                for: RecordLookupRequest(recordNames: [root], zoneID: zone))
            guard case .record(let record) = reply.records[0] else { throw WorldError("no root") }
            operation.share?.root = Share.Change.Root(
                root, recordChangeTag: record.recordChangeTag)
        }
        let made = try await owner.modifyRecords(
            RecordModifyRequest(operations: [operation], zoneID: zone))
        guard case .record(let record) = made.records[0], let guid = record.shortGUID else {
            throw WorldError("the zone is not shared: \(made.records[0])")
        }
        let reply = try await database(of: guest, .public).write(
            .acceptShares([ShareLookup(guid)]))
        guard case .shares(let items) = reply, case .metadata = items[0] else {
            throw WorldError("the share is not accepted: \(reply)")
        }
    }

    /// A zone of the second person as the first one names it.
    func theirs(_ zone: String) throws -> RecordZone.ID {
        RecordZone.ID(zone, ownerRecordName: try name(of: "ben"))
    }

    /// The records that a person has, in private zones and in public.
    func records(of user: String, in zone: String) throws -> Set<String> {
        Set(
            try service.contents().things.keys.filter {
                $0.user == user && $0.scope == "private" && $0.zone == zone && $0.kind == .record
            }
            .map(\.name))
    }

    /// The zones of others that a person has.
    func zonesShared(with user: String = "ada") async throws -> Set<String> {
        let page = try await database(of: user, .shared).zones()
        return Set(page.zones.map(\.id.zoneName))
    }

    /// What the tool told others of its run.
    func evidence(of report: SweepReport) throws -> String {
        guard let path = report.evidencePath else { throw WorldError("there is no evidence") }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    // MARK: The sweep

    /// Something that others do when a phase begins.
    struct Moment: Sendable {
        var phase: SweepPhase
        var happen: @Sendable (PlaceStage) throws -> Void

        init(_ phase: SweepPhase, _ happen: @escaping @Sendable (PlaceStage) throws -> Void) {
            self.phase = phase
            self.happen = happen
        }
    }

    /// Somebody between the tool and its databases.
    struct Lie: Sendable {
        let around: @Sendable (any CloudDatabase) -> any CloudDatabase
    }

    var request: SweepRequest {
        get throws {
            guard let container = Container.ID(Self.container) else {
                throw WorldError("malformed")
            }
            var request = SweepRequest(
                environment: .development,
                targets: [SweepRequest.Target(container: container, recordTypes: Self.types)],
                scopes: Database.Scope.allCases)
            request.limits.verifyTimeout = .seconds(60)
            request.limits.attemptsMax = 3
            return request
        }
    }

    /// Sweeps the first person's data.
    ///
    /// - Parameters:
    ///   - faults: What goes wrong on the first person's way, as rules.
    ///   - moments: What happens meanwhile.
    ///   - assets: Asks the addresses of assets; nil: nobody can.
    ///   - key: Lets the tool in; nil: the first person signs in.
    ///   - lie: Puts somebody between the tool and a database.
    func sweep(
        faults: [String] = [], moments: [Moment] = [], assets: (any AssetProbe)? = nil,
        key: Credential? = nil,
        lie: Lie? = nil, _ change: (inout SweepRequest) -> Void = { _ in }
    ) async throws -> SweepReport {
        // From here on the environment knows the types.
        for type in Self.types {
            try await save([.make("first-\(type)", type)], in: .default, "ben")
        }
        var request = try request
        change(&request)
        let due = Locked(moments)
        let problems = Locked<[String]>([])
        var world = SweepWorld(
            stateFolder: folder, clock: service.pauses, wallClock: service.clock, seed: 1,
            toolVersion: "test",
            tell: { [self] event in
                guard case .phaseBegan(let phase) = event else { return }
                let now = due.withLock { due in
                    let now = due.filter { $0.phase == phase }
                    due.removeAll { $0.phase == phase }
                    return now
                }
                for moment in now {
                    do {
                        try moment.happen(self)
                    } catch {
                        problems.withLock { $0.append("\(error)") }
                    }
                }
            })
        world.isAlive = { _ in false }
        world.assetProbe = assets
        try service.begin([], faults: faults) { _ in }
        let credential =
            key ?? .apiToken(service.apiToken, web: WebAuthTokenStore(token: service.token("ada")))
        let (host, service) = (host, service)
        let databases: WritableDatabases = {
            let database = HTTPCloudDatabase(
                address: $0, endpoint: host.endpoint, credential: credential,
                client: host.client, clock: service.clock)
            return lie?.around(database) ?? database
        }
        let report = await Sweep(request, in: world).run(on: databases) {
            $0.plan.map { .digest($0.digest) }
        }
        _ = try service.end()
        let wrong = problems.withLock { $0 } + due.withLock { $0.map { "never: \($0.phase)" } }
        guard wrong.isEmpty else { throw WorldError("\(wrong)") }
        return report
    }
}

extension RecordOperation {
    /// A new record.
    static func make(_ name: String, _ type: String = "Note") -> RecordOperation {
        RecordOperation(.forceUpdate, recordName: name, recordType: type)
    }

    /// A new record that goes along with another of its zone.
    static func make(_ name: String, _ type: String = "Note", withA target: String) -> Self {
        var operation = make(name, type)
        operation.fields = [
            "of": Field(.reference(Record.Reference(target, action: .deleteSelf)))
        ]
        return operation
    }
}

extension SweepReport {
    /// The row of a place as a whole.
    func row(_ kind: CoverageRow.Kind, _ scope: Database.Scope? = nil) -> CoverageRow? {
        rows.first {
            $0.kind == kind && $0.subject == nil && (scope == nil || $0.scope == scope)
        }
    }
}
