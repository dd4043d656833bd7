import AsyncOperations
import CSyncCounter
import Foundation
import SweepEngine
import Testing

/// What waits for the disk, and what does not.
@Suite(.timeLimit(.minutes(30)))
struct DiskTests {
    /// A bench whose state folder is there.
    private func made(zones: Int) throws -> (Bench, SweepRequest) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<zones).map { "zone \($0)" }, records: 1)
        try FileManager.default.createDirectory(
            atPath: bench.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return (bench, request([id]))
    }

    @Test func `S6 a look waits for the disk as often for a thousand zones as for one`()
        async throws
    {
        var syncs: [Int32] = []
        var requests: [Int] = []
        for zones in [1, 1000] {
            let (bench, request) = try made(zones: zones)
            let watch = csynccounter_watch(bench.folder)
            defer { csynccounter_end(watch) }
            let tape = Tape()
            let report = await Sweep(request, in: bench.world()).plan(on: bench.readable(tape))
            #expect(report.status == .somethingToDelete, "\(report.explanation)")
            syncs.append(csynccounter_count(watch))
            requests.append(tape.all.count)
        }
        #expect(requests[1] > requests[0])
        #expect(syncs[1] == syncs[0])
    }

    @Test func `S6 what is sent next does not wait until the disk has the last outcome`()
        async throws
    {
        var (bench, request) = try made(zones: 450)
        request.limits.perDatabase = 1
        let watch = csynccounter_watch(bench.folder)
        defer { csynccounter_end(watch) }
        let sent = Locked(0)
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            switch sent.withLock({
                $0 += 1
                return $0
            }) {
            // From here on the disk takes nothing until more is sent.
            case 1: csynccounter_hold(watch)
            case 2: csynccounter_release(watch)
            default: break
            }
            return nil
        }
        let report = await bench.sweep(request, tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(sent.withLock { $0 } > 2)
        #expect(csynccounter_overdue(watch) == 0)
    }

    @Test func `S6 nobody is told of an outcome that the disk does not have`() async throws {
        let (bench, request) = try made(zones: 450)
        let watch = csynccounter_watch(bench.folder)
        defer { csynccounter_end(watch) }
        // How often the disk had been waited for when something was told.
        let told = Locked<[Int32]>([])
        let began = Locked<Int32?>(nil)
        var world = bench.world()
        world.tell = { event in
            switch event {
            case .approved: began.withLock { $0 = csynccounter_count(watch) }
            case .stepEnded: told.withLock { $0.append(csynccounter_count(watch)) }
            default: break
            }
        }
        let report = await bench.sweep(request, world: world)
        #expect(report.status == .done, "\(report.explanation)")
        let before = try #require(began.withLock { $0 })
        let after = told.withLock { $0 }
        #expect(after.count > 2 && after.allSatisfy { $0 > before })
    }
}
