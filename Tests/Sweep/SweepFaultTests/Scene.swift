import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import MockStore
import SweepEngine

/// Two users with data in two containers, and a sweep of the first.
struct Scene: Sendable {
    static let containers = ["iCloud.com.example.one", "iCloud.com.example.two"]
        .compactMap { Container.ID($0) }
    static let recordTypes = ["Note", "Tag"]

    let rehearsal: Rehearsal
    let folder: URL
    let othersData: String

    /// - Parameter options: How the mock service behaves.
    init(options: MockOptions = MockOptions(), seed: UInt64 = 1) async throws {
        rehearsal = try Rehearsal(users: ["ada", "ben"], options: options, seed: seed)
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)")
        for user in ["ada", "ben"] {
            for container in Self.containers {
                try await Self.fill(rehearsal.database(at: Self.address(container), user: user))
            }
        }
        othersData = try rehearsal.dump(of: "ben")
    }

    static func address(_ container: Container.ID) -> Database.Address {
        Database.Address(container: container, environment: .development, scope: .private)
    }

    private static func fill(_ database: RehearsedDatabase) async throws {
        let zones = ["Journal", "Keep", "Photos"].map { RecordZone.ID($0) }
        for zone in zones { _ = try await database.modifyZones([.create(zone)]) }
        for zone in zones + [.default] {
            for number in 0..<5 {
                let operation = RecordOperation(
                    .create, recordName: "record-\(number)", recordType: recordTypes[number % 2],
                    fields: ["title": Field(.string("number \(number)"))])
                _ = try await database.modifyRecords(
                    RecordModifyRequest(operations: [operation], zoneID: zone))
            }
        }
        _ = try await database.modifySubscriptions([
            .create(
                Subscription(
                    subscriptionID: "notes", kind: .query, query: Query(recordType: "Note"),
                    firesOn: [.create]))
        ])
    }

    func request(protecting zone: String? = nil) -> SweepRequest {
        var request = SweepRequest(
            environment: .development,
            targets: Self.containers.map {
                SweepRequest.Target(container: $0, recordTypes: Self.recordTypes)
            })
        if let zone {
            request.policy.protect = [ProtectRule(zone: zone, reason: "kept for the test")]
        }
        request.limits.verifyTimeout = .seconds(120)
        request.limits.maxDuration = .seconds(3600)
        return request
    }

    func world(_ seed: UInt64, stop: StopSignal = StopSignal()) -> SweepWorld {
        let clock = ManualClock(movesByItself: true)
        let start = Timestamp(milliseconds: 1_800_000_000_000)
        return SweepWorld(
            stateFolder: folder.path, clock: clock,
            wallClock: WallClock { start.advanced(by: clock.now.sinceStart) }, seed: seed,
            toolVersion: "test", stop: stop)
    }

    var databases: WritableDatabases {
        { [rehearsal] address in rehearsal.database(at: address, user: "ada") }
    }

    /// A full sweep of the first user, approved.
    func sweep(protecting zone: String? = nil, seed: UInt64 = 7) async -> SweepReport {
        await Sweep(request(protecting: zone), in: world(seed)).run(on: databases) { report in
            report.plan.map { .digest($0.digest) }
        }
    }

    /// What must hold after any sweep, however it ended; `kept` items were protected.
    func violations(of report: SweepReport, kept: Int64 = 0) throws -> [String] {
        try rehearsal.setFaults([])
        var found: [String] = []
        let left = try rehearsal.itemsLeft(of: "ada")
        if report.status == .done, left != kept { found.append("exit 0 with \(left) items left") }
        if left < kept { found.append("only \(left) items left, \(kept) are protected") }
        if try rehearsal.dump(of: "ben") != othersData {
            found.append("another user's data changed")
        }
        if report.status == .internalError { found.append("internal error: \(report.explanation)") }
        return found
    }

    func cleanUp() { try? FileManager.default.removeItem(at: folder) }
}
