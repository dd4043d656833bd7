import AsyncOperations
import CloudModel
import Configuration
import DeletionPlanning
import DonationStore
import Donations
import Journal
import MockStore
import SweepEngine
import Testing

/// The donations that tell of what a sweep deletes go first, and are looked for again.
struct DonationPassTests {
    /// A cloud with two containers, and donations about both and about one that is not swept.
    private struct Scene {
        let bench: Bench
        let store: DonationStore
        let one: Container.ID
        let other: Container.ID

        init() throws {
            bench = try Bench()
            store = try DonationStore(
                configuration: DonationConfiguration(
                    bundleIdentifier: "com.example.app", directory: "",
                    clock: .fixed(Bench.now)))
            one = try container("one")
            other = try container("other")
        }

        func donate(
            _ name: String, to container: Container.ID, zone: String? = "Notes",
            record: String? = nil, scope: Database.Scope? = .private
        ) async throws {
            var row = Donation(
                .interaction, identifier: name, type: "Send", at: Bench.now)
            row.link = ContentLink(
                container, scope, zone: zone.map { RecordZone.ID($0) }, record: record)
            _ = try await store.donate([row])
        }

        func names() async throws -> Set<String> {
            Set(try await store.list(.interaction, limit: 10_000).map(\.identifier))
        }

        func world(hook: SQLiteJournal.CommitHook? = nil) -> SweepWorld {
            var world = bench.world(hook: hook)
            world.donations = store
            return world
        }
    }

    private func row(_ report: SweepReport, _ container: Container.ID) throws -> CoverageRow {
        try #require(
            report.rows.first { $0.kind == .donations && $0.container == container })
    }

    @Test func `F57 a swept container leaves no donation linked to it, others stay`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("a", to: scene.one)
        try await scene.donate("b", to: scene.one, zone: "long gone", record: "r")
        try await scene.donate("c", to: scene.one, zone: nil, scope: nil)
        try await scene.donate("d", to: scene.other)
        let report = await scene.bench.sweep(
            request([scene.one], scopes: Database.Scope.allCases), world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try await scene.names() == ["d"])
        let row = try row(report, scene.one)
        #expect(row.outcome == .deleted)
        #expect(row.found == 3)
        #expect(row.deleted == 3)
    }

    @Test func `donations go before the first request that deletes content`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes", "More"])
        try await scene.donate("a", to: scene.one)
        let left = Locked<[Int]>([])
        let store = scene.store
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            store.list(.allInteractions, limit: 10) { result in
                left.withLock { $0.append((try? result.get().count) ?? -1) }
            }
            return nil
        }
        let report = await scene.bench.sweep(
            request([scene.one]), tape, world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        try await store.flush()
        let seen = left.withLock { $0 }
        #expect(seen.count == tape.modifying.count && Set(seen) == [0])
    }

    @Test func `a donation of a database that is not swept stays`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("private", to: scene.one)
        try await scene.donate("shared", to: scene.one, scope: .shared)
        try await scene.donate("anywhere", to: scene.one, scope: nil)
        let report = await scene.bench.sweep(request([scene.one]), world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try await scene.names() == ["shared", "anywhere"])
        let row = try row(report, scene.one)
        #expect(row.found == 2)
        #expect(row.kept == 1)
        #expect(row.reason?.contains("names no database") == true)
    }

    @Test func `what a rule keeps keeps its donations`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes", "Receipts"])
        try scene.bench.seed(scene.one, ["Mixed"], type: "Bill")
        try scene.bench.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(.create, recordName: "n", recordType: "Note")
                        ], zoneID: RecordZone.ID("Mixed")))),
            at: address(scene.one))
        for zone in ["Notes", "Receipts", "Mixed"] {
            try await scene.donate(zone, to: scene.one, zone: zone)
        }
        try await scene.donate("note", to: scene.one, zone: "Mixed", record: "n")
        try await scene.donate("bill", to: scene.one, zone: "Mixed", record: "Mixed-0")
        let policy = Policy(protect: [
            ProtectRule(zone: "Receipts", reason: "tax law"),
            ProtectRule(recordType: "Bill", reason: "warranty"),
        ])
        let report = await scene.bench.sweep(
            request([scene.one], types: ["Note", "Bill"], policy: policy), world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        // "Notes" holds no bill, so it goes as a whole; of "Mixed" only the note goes.
        #expect(try await scene.names() == ["Receipts", "Mixed", "bill"])
        let row = try row(report, scene.one)
        #expect(row.found == 5)
        #expect(row.kept == 3)
        #expect(row.deleted == 2)
    }

    @Test func `a donation that names no database stays with a zone a rule is about`()
        async throws
    {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Mixed"])
        // The private "Mixed" holds no bill and goes; whose zone this is, nobody can say.
        try await scene.donate("anywhere", to: scene.one, zone: "Mixed", scope: nil)
        try await scene.donate("shared", to: scene.one, zone: "Mixed", scope: .shared)
        try await scene.donate("private", to: scene.one, zone: "Mixed")
        let policy = Policy(protect: [ProtectRule(zone: "Mixed", recordType: "Bill", reason: "w")])
        let wanted = request(
            [scene.one], types: ["Note", "Bill"], scopes: Database.Scope.allCases, policy: policy)
        let plan = await Sweep(wanted, in: scene.world()).plan(on: scene.bench.readable())
        #expect(plan.unmatchedRules.count == 1)
        let row = try row(plan, scene.one)
        #expect(row.found == 3)
        #expect(row.kept == 2)
    }

    @Test func `donations alone are something to delete`() async throws {
        let scene = try Scene()
        try await scene.donate("a", to: scene.one)
        let plan = await Sweep(request([scene.one]), in: scene.world())
            .plan(on: scene.bench.readable())
        #expect(plan.status == .somethingToDelete)
        #expect(try row(plan, scene.one).outcome == .toDelete)
        #expect(try await scene.names() == ["a"])
        let report = await scene.bench.sweep(request([scene.one]), world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try await scene.names() == [])
    }

    @Test func `without a yes no donation goes`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("a", to: scene.one)
        let report = await Sweep(request([scene.one]), in: scene.world())
            .run(on: scene.bench.databases()) { _ in nil }
        #expect(report.status == .refused)
        #expect(try await scene.names() == ["a"])
    }

    @Test func `a donation made again during the sweep ends it with data left`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("a", to: scene.one)
        let store = scene.store
        let one = scene.one
        let wasDonated = Locked(false)
        let tape = Tape { _, entry in
            guard entry.command.isModifying,
                !wasDonated.withLock({ was in
                    defer { was = true }
                    return was
                })
            else { return nil }
            var row = Donation(.interaction, identifier: "again", type: "Send", at: Bench.now)
            // About a zone that is not there, and so is not fenced either.
            row.link = ContentLink(one, .private, zone: RecordZone.ID("long gone"))
            store.donate([row]) { _ in }
            return nil
        }
        let report = await scene.bench.sweep(
            request([scene.one]), tape, world: scene.world())
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(try row(report, scene.one).outcome == .left)
        #expect(try row(report, scene.one).left == 1)
    }

    @Test func `S14 a donation about an erased zone is refused from the first deletion on`()
        async throws
    {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("a", to: scene.one)
        let outcomes = Locked<[DonationOutcome]>([])
        let store = scene.store
        let one = scene.one
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            var row = Donation(.interaction, identifier: "again", type: "Send", at: Bench.now)
            row.link = ContentLink(one, .private, zone: RecordZone.ID("Notes"))
            store.donate([row]) { result in
                outcomes.withLock { $0 += (try? result.get()) ?? [] }
            }
            return nil
        }
        let report = await scene.bench.sweep(
            request([scene.one]), tape, world: scene.world())
        #expect(report.status == .done, "\(report.explanation)")
        try await store.flush()
        #expect(outcomes.withLock { $0.count } == tape.modifying.count)
        #expect(outcomes.withLock { Set($0) } == [.refusedErased])
    }

    @Test func `a store that cannot be read stops everything`() async throws {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        await scene.store.flushAndClose()
        let tape = Tape()
        let report = await scene.bench.sweep(
            request([scene.one]), tape, world: scene.world())
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `a run cut off between donations and content is resumed with its counts`()
        async throws
    {
        let scene = try Scene()
        try scene.bench.seed(scene.one, ["Notes"])
        try await scene.donate("a", to: scene.one)
        try await scene.donate("b", to: scene.one)
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            return .refuse(CloudError(.authenticationRequired, reason: "signed out"))
        }
        let first = await scene.bench.sweep(
            request([scene.one]), tape, world: scene.world())
        #expect(first.status != .done)
        #expect(try await scene.names() == [])
        let report = await Sweep(request([scene.one]), in: scene.world())
            .resume(run: nil, on: scene.bench.databases())
        #expect(report.status == .done, "\(report.explanation)")
        let row = try row(report, scene.one)
        #expect(row.found == 2)
        #expect(row.deleted == 2)
    }

    @Test func `without a store the report says that none is known`() async throws {
        let scene = try Scene()
        let report = await scene.bench.sweep(request([scene.one]))
        #expect(try row(report, scene.one).outcome == .notInScope)
    }
}
