import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import DonationStore
import DonationSync
import Donations
import Foundation
import Journal
import MockStore
import SQLite
import SyncEngine
import Testing

/// The loop around the machine: one request and one transaction at a time, waits, locks, fences.
struct DonationSyncerTests {
    @Test func `a database in which nothing changed costs one request`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes", "More"])
        try await bench.donate("phone", "a", about: "Notes-1")
        #expect(try await bench.sync("phone").status == .done)
        let tape = Tape()
        let outcome = try await bench.sync("phone", tape)
        #expect(outcome.status == .done)
        #expect(tape.all.count == 1 && tape.modifying.isEmpty)
        #expect(try await bench.names("phone") == ["a"])
    }

    @Test func `with the exchange on, a round without news costs one request too`() async throws {
        let bench = try SyncBench()
        try await bench.enable("phone")
        try await bench.donate("phone", "a")
        for _ in 0..<3 { #expect(try await bench.sync("phone").status == .done) }
        let tape = Tape()
        #expect(try await bench.sync("phone", tape).status == .done)
        #expect(tape.all.count == 1, "\(tape.all.map(\.command.operationPath))")
    }

    @Test func `a wait is stored, kept over restarts, and not shortened`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try await bench.donate("phone", "a", about: "Notes-1")
        let tape = Tape { number, _ in
            number == 1
                ? .refuse(CloudError(.throttled, retryAfter: .seconds(30 * 3600))) : nil
        }
        let first = try await bench.sync("phone", tape)
        #expect(first.status == .discoveryIncomplete && first.explanation.contains("not before"))
        #expect(tape.all.count == 2)
        // Long before the time nothing is asked; after it, it is.
        let early = Tape()
        try await bench.with("phone") { store in
            let world = bench.world("phone", store, at: Bench.now.advanced(by: .seconds(3600)))
            #expect(await bench.sync(world, early).status == .discoveryIncomplete)
        }
        #expect(early.all.isEmpty)
        try await bench.with("phone") { store in
            let world = bench.world(
                "phone", store, at: Bench.now.advanced(by: .seconds(31 * 3600)))
            #expect(await bench.sync(world).status == .done)
        }
    }

    @Test func `a server that is not reached is given up, and nothing is deleted`() async throws {
        let bench = try SyncBench()
        try await bench.donate("phone", "a", about: "Notes-1")
        let tape = Tape { _, _ in .refuse(CloudError(.networkFailure)) }
        let outcome = try await bench.sync("phone", tape)
        #expect(outcome.status == .discoveryIncomplete)
        #expect(tape.all.count <= SyncRequest.Limits().failuresMax)
        #expect(try await bench.names("phone") == ["a"])
    }

    @Test(arguments: [CloudError.Code.authenticationRequired, .authenticationFailed])
    func `not signed in deletes nothing and ends with 7`(code: CloudError.Code) async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try await bench.donate("phone", "a", about: "Notes-1")
        #expect(try await bench.sync("phone").status == .done)
        let outcome = try await bench.sync("phone", Tape { _, _ in .refuse(CloudError(code)) })
        #expect(outcome.status == .notSignedIn)
        #expect(try await bench.names("phone") == ["a"])
    }

    @Test func `another person signs in, and what was the first one's goes, here only`()
        async throws
    {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try bench.bench.seed(bench.container, ["Notes"], user: "eve")
        try await bench.donate("phone", "a", about: "Notes-1")
        try await bench.donate("phone", "about nothing")
        try await bench.donate("tablet", "a", about: "Notes-1")
        #expect(try await bench.sync("phone").status == .done)
        #expect(try await bench.sync("tablet").status == .done)
        let before = try bench.bench.dump(user: "ada")
        try await bench.with("phone") { store in
            let outcome = await bench.sync(bench.world("phone", store), user: "eve")
            #expect(outcome.status == .done, "\(outcome.explanation)")
        }
        #expect(try await bench.names("phone") == ["about nothing"])
        #expect(try await bench.sync("tablet").status == .done)
        #expect(try await bench.names("tablet") == ["a"])
        #expect(try bench.bench.dump(user: "ada") == before)
    }

    // MARK: Stopping and locking

    @Test func `an interrupt ends the round, and the next one goes on`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try await bench.donate("phone", "a", about: "Notes-1")
        #expect(try await bench.sync("phone").status == .done)
        try bench.delete("Notes-1")
        let stop = StopSignal()
        let tape = Tape { _, _ in
            stop.request(.interrupt)
            return nil
        }
        try await bench.with("phone") { store in
            let outcome = await bench.sync(bench.world("phone", store, stop: stop), tape)
            #expect(outcome.status == .interrupted)
        }
        #expect(tape.all.count == 1)
        #expect(try await bench.sync("phone").status == .done)
        #expect(try await bench.names("phone") == [])
    }

    @Test func `watching goes on round after round, until the time is over`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try await bench.with("phone") { store in
            let outcome = await bench.sync(bench.world("phone", store)) {
                $0.mode = .watch(every: .seconds(60))
                $0.limits.maxDuration = .seconds(200)
            }
            #expect(outcome.status == .outOfTime && outcome.rounds == 4)
        }
    }

    /// Does something before it answers.
    private struct ActingDatabase: CloudDatabaseReading {
        let base: any CloudDatabaseReading
        let act: @Sendable () async -> Void
        var address: Database.Address { base.address }
        func read(_ command: CloudRead) async throws(CloudError) -> CloudReply {
            await act()
            return try await base.read(command)
        }
    }

    @Test func `a second sync of the same donations is refused while the first runs`()
        async throws
    {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        let second = Locked<SyncOutcome?>(nil)
        try await bench.with("phone") { store in
            let world = bench.world("phone", store)
            let databases = bench.bench.databases()
            let outcome = await DonationSyncer(bench.request(), in: world).run(
                content: { address in
                    ActingDatabase(base: bench.bench.readable()(address)) {
                        guard second.withLock({ $0 == nil }) else { return }
                        let inner = await bench.sync(world)
                        second.withLock { $0 = inner }
                    }
                }, exchange: { ExchangeWriter(databases($0)) })
            #expect(outcome.status == .done)
        }
        #expect(second.withLock { $0?.status } == .locked)
        #expect(second.withLock { $0?.explanation.contains("another run holds the lock") } == true)
        #expect(try await bench.sync("phone").status == .done)
    }

    // MARK: Crashes

    private struct Cut: Error {}

    @Test func `cut off at any commit, the next round ends as an undisturbed one`() async throws {
        var number = 0
        var isOver = false
        while !isOver, number < 60 {
            number += 1
            let bench = try SyncBench()
            try bench.bench.seed(bench.container, ["Notes", "More"], records: 250)
            try await bench.enable("phone")
            try await bench.donate("phone", "kept", about: "Notes-1")
            try await bench.donate("phone", "gone", about: "Notes-2")
            #expect(try await bench.sync("phone").status == .done)
            try await bench.donate("phone", "new")
            try bench.delete("Notes-2")
            let steps = Locked(0)
            let last = number
            let store = try bench.store("phone") { step in
                guard step == .beforeCommit || step == .afterCommit else { return }
                let count = steps.withLock { steps in
                    steps += 1
                    return steps
                }
                if count == last { throw Cut() }
            }
            let cut = await bench.sync(bench.world("phone", store))
            await store.flushAndClose()
            isOver = cut.status == .done
            #expect(isOver || cut.status == .internalError, "\(cut.explanation)")
            #expect(try await bench.sync("phone").status == .done)
            #expect(try await bench.names("phone") == ["kept", "new"], "step \(number)")
            try await bench.enable("tablet")
            #expect(try await bench.sync("tablet").status == .done)
            #expect(try await bench.names("tablet") == ["kept", "new"], "step \(number)")
        }
        #expect(number > 10 && isOver)
    }

    // MARK: Fences

    @Test func `S14 fences stand before the first deletion, and a sync heeds them`() async throws {
        let bench = try SyncBench()
        try bench.bench.seed(bench.container, ["Notes"])
        try await bench.enable("phone")
        try await bench.donate("phone", "a", about: "Notes-1")
        try await bench.donate("phone", "about nothing")
        #expect(try await bench.sync("phone").status == .done)

        let fenced = Locked<[String]?>(nil)
        let journal = bench.folder("phone") + "/journal.sqlite"
        let tape = Tape { _, entry in
            guard entry.command.isModifying, fenced.withLock({ $0 == nil }) else { return nil }
            let rows = try? Connection(.file(journal), readOnly: true)
                .rows("SELECT zone FROM fences ORDER BY zone")
            fenced.withLock { $0 = rows?.compactMap { $0.first?.string } }
            return nil
        }
        try await bench.with("phone") { store in
            var world = bench.bench.world()
            world.stateFolder = bench.folder("phone")
            world.donations = store
            let report = await bench.bench.sweep(
                request([bench.container]), tape, world: world)
            #expect(report.status == .done, "\(report.explanation)")
            let about = ContentLink(
                bench.container, .private, zone: RecordZone.ID("Notes"), record: "Notes-2")
            var late = Donation(.interaction, identifier: "late", type: "Call", at: Bench.now)
            late.link = about
            let outcomes = try await store.donate([late])
            #expect(outcomes == [.refusedErased])
        }
        #expect(fenced.withLock { $0 } == [bench.zone.zoneName, "Notes"])

        // Nothing is written, whatever there is to send; and no zone comes into being.
        try await bench.donate("phone", "new")
        let after = Tape()
        let outcome = try await bench.sync("phone", after)
        #expect([.done, .partlyFailed].contains(outcome.status), "\(outcome.explanation)")
        #expect(after.modifying.isEmpty)
        #expect(try bench.bench.left() == 0)
    }

    @Test func `S14 a fence whose name was forgotten stops writes all the same`() async throws {
        let bench = try SyncBench()
        try await bench.enable("phone")
        try await bench.donate("phone", "a")
        let journal = SQLiteJournal(folder: bench.folder("phone"))
        let run = try await journal.begin(
            RunStart(
                id: "sweep", verb: "sweep", environment: .development,
                containers: [bench.container], server: "", isRehearsal: true,
                began: Timestamp(milliseconds: 1), allowPartial: nil), []
        ).key
        let place = Database.Address(
            container: bench.container, environment: .development, scope: .private)
        try await journal.write(
            [
                .fences(place, zones: [bench.zone]), .stage(.ended),
                .ended(Timestamp(milliseconds: 2), status: 0, report: []),
            ], run: run)
        try await journal.forget([(run, nil)])
        #expect(try await journal.fences(limit: 9).map(\.zone) == [nil])
        await journal.close()
        let tape = Tape()
        let outcome = try await bench.sync("phone", tape)
        #expect([.done, .partlyFailed].contains(outcome.status), "\(outcome.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(try bench.bench.left() == 0)
    }

    @Test func `a fence that goes up during a round stops its writes`() async throws {
        let bench = try SyncBench()
        try await bench.enable("phone")
        try await bench.donate("phone", "a")
        let journal = SQLiteJournal(folder: bench.folder("phone"))
        let run = try await journal.begin(
            RunStart(
                id: "sweep", verb: "sweep", environment: .development,
                containers: [bench.container], server: "", isRehearsal: true,
                began: Timestamp(milliseconds: 1), allowPartial: nil), [])
        let isFenced = Locked(false)
        let tape = Tape()
        try await bench.with("phone") { store in
            let databases = bench.bench.databases(tape)
            let outcome = await DonationSyncer(bench.request(), in: bench.world("phone", store))
                .run(
                    content: { address in
                        ActingDatabase(base: bench.bench.readable(tape)(address)) {
                            guard !isFenced.withLock({ $0 }) else { return }
                            let change = JournalChange.fences(
                                Database.Address(
                                    container: bench.container, environment: .development,
                                    scope: .private), zones: [bench.zone])
                            try? await journal.write([change], run: run.key)
                            isFenced.withLock { $0 = true }
                        }
                    }, exchange: { ExchangeWriter(databases($0)) })
            #expect([.done, .partlyFailed].contains(outcome.status), "\(outcome.explanation)")
        }
        #expect(tape.modifying.isEmpty)
        #expect(try bench.bench.left() == 0)
    }
}
