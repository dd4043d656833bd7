import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import Foundation
import InProcessMock
import Journal
import MockStore
import SweepEngine
import Testing

/// The addresses of assets: asked again after an interruption and later, and never on disk in clear.
struct AssetAddressTests {
    private struct Stubborn: AssetProbe {
        func presence(at address: String) -> AssetPresence { .there(until: nil) }
    }

    private let scene: AssetScene
    private var id: Container.ID { scene.id }
    private var bench: Bench { scene.bench }
    private var probe: AssetScene.StoreProbe { scene.probe }
    private var addresses: [String] { scene.addresses }
    private var wanted: SweepRequest { scene.wanted }

    init() throws { scene = try AssetScene() }

    private func world(_ probe: (any AssetProbe)? = nil) -> SweepWorld {
        var world = bench.world()
        world.assetProbe = probe ?? self.probe
        return world
    }

    /// A run that is interrupted once everything is deleted, and nothing is verified.
    private func interrupted() async throws -> String {
        let stop = StopSignal()
        var world = bench.world(stop: stop)
        world.assetProbe = probe
        world.tell = { if case .phaseBegan(.verify) = $0 { stop.request(.interrupt) } }
        let report = await bench.sweep(wanted, world: world)
        #expect(report.status == .interrupted, "\(report.explanation)")
        #expect(probe.asked.withLock { $0.count } <= 2)
        probe.asked.withLock { $0 = [] }
        return try #require(report.runID)
    }

    @Test func `S7 a run that goes on asks the addresses of before`() async throws {
        let run = try await interrupted()
        let report = await Sweep(wanted, in: world()).resume(run: run, on: bench.databases())
        #expect(report.status == .done, "\(report.explanation)")
        // The mock gives an asset the same address as long as its clock stands still.
        #expect(Set(probe.asked.withLock { $0 }) == Set(addresses))
        let row = try #require(report.rows.first { $0.kind == .assets })
        #expect(row.outcome == .deleted && row.found == 2 && row.deleted == 2)
    }

    @Test func `S1 a run that goes on does not end in 0 while an address of before answers`()
        async throws
    {
        let run = try await interrupted()
        let report = await Sweep(wanted, in: world(Stubborn())).resume(
            run: run, on: bench.databases())
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .assets }?.left == 2)
    }

    @Test func `a plan that is applied asks them, and so does a later verification of its run`()
        async throws
    {
        let plan = await Sweep(wanted, in: world()).plan(on: bench.readable())
        let file = bench.folder + "/plan"
        try await Sweep(wanted, in: world()).exportPlan(run: try #require(plan.runID), to: file)
        let applied = await Sweep(wanted, in: world()).apply(
            planFile: file, on: bench.databases(), confirm: approve)
        #expect(applied.status == .done, "\(applied.explanation)")
        #expect(Set(probe.asked.withLock { $0 }) == Set(addresses))
        let run = try #require(applied.runID)
        let later = await Sweep(wanted, in: world()).verify(run: run, on: bench.readable())
        #expect(later.status == .done, "\(later.explanation)")
        let early = await Sweep(wanted, in: world(Stubborn())).verify(
            run: run, on: bench.readable())
        #expect(early.status == .dataLeft, "\(early.explanation)")
        #expect(early.rows.first { $0.kind == .assets }?.left == 2)
    }

    @Test func `S11 no address is in a file of the state folder in clear`() async throws {
        let report = await bench.sweep(wanted, world: world())
        #expect(report.status == .done, "\(report.explanation)")
        let files = try #require(FileManager.default.enumerator(atPath: bench.folder))
        var read = 0
        for case let file as String in files {
            guard let bytes = FileManager.default.contents(atPath: bench.folder + "/" + file)
            else { continue }
            read += 1
            for address in addresses {
                let secret = Data(try #require(address.split(separator: "/").last).utf8)
                #expect(bytes.range(of: secret) == nil, "\(file)")
            }
        }
        #expect(read > 1)
    }

    @Test func `S10 more assets than a page are all asked, a page at a time`() async throws {
        for number in 0..<230 { _ = try AssetScene.save("more-\(number)", in: "Album", bench, id) }
        let report = await bench.sweep(wanted, world: world())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .assets }?.deleted == 232)
        // Twice: in each of two clean passes.
        #expect(probe.asked.withLock { $0.count } == 464)
    }
}
