import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import Foundation
import InProcessMock
import Journal
import MockServer
import SweepEngine
import Testing

/// The addresses of assets: asked again after an interruption and later, and never on disk in clear.
struct AssetAddressTests {
    /// Asks the mock's store, and remembers what it was asked.
    private final class StoreProbe: AssetProbe {
        let cloud: MockCloud
        let asked = Locked<[String]>([])
        init(_ cloud: MockCloud) { self.cloud = cloud }

        func presence(at address: String) throws(CloudError) -> AssetPresence {
            asked.withLock { $0.append(address) }
            do {
                _ = try cloud.withStore { try $0.assetBytes(at: address) }
                return .there(until: nil)
            } catch let error as CloudError where error.httpStatus == 404 {
                return .gone
            } catch {
                throw CloudError(.internalError, reason: "\(error)")
            }
        }
    }

    private struct Stubborn: AssetProbe {
        func presence(at address: String) -> AssetPresence { .there(until: nil) }
    }

    private let id: Container.ID
    private let bench: Bench
    private let probe: StoreProbe
    private let addresses: [String]

    /// Zones with a file in each.
    init() throws {
        id = try container("one")
        bench = try Bench()
        probe = StoreProbe(bench.cloud)
        var addresses: [String] = []
        for name in ["Album", "Trips"] {
            try bench.seed(id, [name], records: 0)
            addresses.append(try Self.save("photo", in: name, bench, id))
        }
        self.addresses = addresses
    }

    private static func save(
        _ name: String, in zone: String, _ bench: Bench, _ id: Container.ID
    ) throws -> String {
        func perform(_ write: CloudWrite) throws -> CloudReply {
            try bench.cloud.perform(.write(write), at: address(id), by: .user("ada"))
        }
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: name)
        let zoneID = RecordZone.ID(zone)
        guard
            case .assetUploads(let items) = try perform(
                .uploadAssets(AssetUploadRequest([token], zoneID: zoneID))),
            case .address(_, let url)? = items.first
        else { throw BadIdentifier() }
        let asset = try bench.cloud.withStore { try $0.receiveAsset([1, 2, 3], at: url) }
        let operation = RecordOperation(
            .create, recordName: name, recordType: "Note",
            fields: ["photo": Field(.asset(asset))])
        guard
            case .records(let reply) = try perform(
                .modifyRecords(RecordModifyRequest(operations: [operation], zoneID: zoneID))),
            case .record(let record)? = reply.records.first,
            case .asset(let saved)? = record.fields["photo"]?.value, let address = saved.downloadURL
        else { throw BadIdentifier() }
        return address
    }

    private var wanted: SweepRequest {
        var wanted = request([id])
        wanted.targets[0].assetFields = AssetFields(["Note": ["photo"]])
        return wanted
    }

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
        for number in 0..<230 { _ = try Self.save("more-\(number)", in: "Album", bench, id) }
        let report = await bench.sweep(wanted, world: world())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .assets }?.deleted == 232)
        // Twice: in each of two clean passes.
        #expect(probe.asked.withLock { $0.count } == 464)
    }
}
