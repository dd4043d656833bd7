import AsyncOperations
import CloudModel
import DeletionPlanning
import Foundation
import MockStore
import SweepEngine
import Testing

/// A private database of any size that takes no room: zones are numbers, deleted from the first
/// on, each answer after a wait.
struct EndlessDatabase: CloudDatabase {
    let address: Database.Address
    let zones: Int
    let latency: Duration
    let deleted: Locked<Int>
    let requests: Locked<Int>

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        requests.withLock { $0 += 1 }
        if latency > .zero { try? await ContinuousClock().sleep(for: latency) }
        switch command {
        case .read(.caller): return .user(UserIdentity(userRecordName: "_user"))
        case .read(.listZones(let token)), .read(.databaseChanges(let token, _)):
            let start = token.flatMap { Int($0.rawValue) } ?? deleted.withLock { $0 }
            let end = min(zones, start + 1000)
            let page = (min(start, end)..<end).map {
                RecordZone.Item.zone(RecordZone(id: Self.zone($0), isAtomic: true))
            }
            return .zonePage(
                ZonePage(zones: page, token: ChangeToken("\(end)"), moreComing: end < zones))
        case .read(.listSubscriptions): return .subscriptions([])
        case .write(.modifyZones(let operations)):
            deleted.withLock { $0 += operations.count { !$0.id.isDefault } }
            return .zones(operations.map { .deleted($0.id) })
        case .read(.zoneChanges(let asked)):
            return .zoneChanges(
                asked.map { .failure($0.zoneID, CloudError(.zoneNotFound)) })
        default: throw CloudError(.badRequest)
        }
    }

    private static func zone(_ number: Int) -> RecordZone.ID {
        RecordZone.ID("5C0FE1F0-0000-4000-8000-\(String(1_000_000_000_000 + number))")
    }
}

struct ScaleTests {
    private func sweep(
        containers: Int, zones: Int, latency: Duration
    ) async throws -> (SweepReport, requests: Int, took: Duration) {
        let folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let requests = Locked(0)
        let ids = try (0..<containers).map { try container("c\($0)") }
        var states: [Container.ID: Locked<Int>] = [:]
        for id in ids { states[id] = Locked(0) }
        let deleted = states
        let world = SweepWorld(
            stateFolder: folder, clock: ContinuousClock(), wallClock: .fixed(Bench.now), seed: 1,
            toolVersion: "test")
        var wanted = request(ids, types: [])
        wanted.limits.verifyPause = .zero
        let began = ContinuousClock.now
        let report = await Sweep(wanted, in: world).run(
            on: {
                EndlessDatabase(
                    address: $0, zones: zones, latency: latency,
                    deleted: deleted[$0.container] ?? Locked(0), requests: requests)
            }, confirm: approve)
        return (report, requests.withLock { $0 }, ContinuousClock.now - began)
    }

    @Test func `S10 a sweep of many zones goes page by page`() async throws {
        let (report, requests, _) = try await sweep(
            containers: 1, zones: 20_000, latency: .zero)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .customZones }?.deleted == 20_000)
        // Two listings, the counts, the deletions, and two passes that ask each zone.
        #expect(requests < 2 * 20 + 100 + 100 + 2 * 110 + 20, "\(requests) requests")
    }

    /// Figures, not assertions of a test run: `CKSWEEP_SCALE=zones`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CKSWEEP_SCALE"] != nil))
    func `S10 memory does not grow with the number of zones`() async throws {
        let zones = ProcessInfo.processInfo.environment["CKSWEEP_SCALE"].flatMap(Int.init) ?? 10
        let (report, requests, took) = try await sweep(
            containers: 1, zones: zones, latency: .zero)
        #expect(report.status == .done, "\(report.explanation)")
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        print("\(zones) zones: \(took), \(requests) requests, \(peak)")
        for timing in report.timings { print("  \(timing.phase) \(timing.took)") }
    }

    /// Figures: `CKSWEEP_LATENCY=milliseconds`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CKSWEEP_LATENCY"] != nil))
    func `sixteen in flight are kept busy`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let wait = environment["CKSWEEP_LATENCY"].flatMap(Int.init) ?? 50
        let (report, requests, took) = try await sweep(
            containers: 100, zones: 100, latency: .milliseconds(wait))
        #expect(report.status == .done, "\(report.explanation)")
        let ideal = Duration.milliseconds(wait) * requests / 16
        print("\(requests) requests in \(took), efficiency \(ideal / took)")
        for timing in report.timings { print("  \(timing.phase) \(timing.took)") }
    }
}
