import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import Evidence
import Foundation
import InProcessMock
import Journal
import MockStore
import SweepEngine
import Testing

/// What comes back after a run is found, told apart, and added to its evidence.
struct WatchTests {
    private static let serverKey = String(repeating: "5e", count: 32)

    private func world(of bench: Bench, stop: StopSignal = StopSignal()) -> SweepWorld {
        var world = bench.world(stop: stop)
        let clock = bench.clock
        world.wallClock = WallClock { Bench.now.advanced(by: clock.now.sinceStart) }
        world.server = .apple
        world.serverKey = { Self.serverKey }
        return world
    }

    /// A run that ended verified empty, and what it was about.
    private func swept(
        _ bench: Bench, _ id: Container.ID
    ) async throws -> (run: String, path: String, request: SweepRequest) {
        try bench.seed(id, ["a", "b"])
        try bench.seed(id, ["_defaultZone"])
        let wanted = request([id], scopes: [.private, .shared, .public])
        let report = await bench.sweep(wanted, world: world(of: bench))
        #expect(report.status == .done, "\(report.explanation)")
        return (try #require(report.runID), try #require(report.evidencePath), wanted)
    }

    private func look(
        _ bench: Bench, _ swept: (run: String, path: String, request: SweepRequest),
        _ tape: Tape = Tape(), stop: StopSignal = StopSignal(), user: String = "ada"
    ) async -> SweepReport {
        await Sweep(swept.request, in: world(of: bench, stop: stop)).watch(
            run: swept.run, on: bench.readable(tape, user: user))
    }

    private func addenda(
        of path: String, _ key: SigningKey, count: Int
    ) throws -> [LookFacts] {
        func bytes(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        let trust = TrustFile([.init(name: "operator", key: key.verifying)])
        let statement = try Attestation(
            envelope: bytes(path), events: nil, proof: nil, trust: trust
        ).statement
        var chain = AddendumChain(of: try bytes(path), statement.facts)
        for number in 1..<(count + 1) {
            let file = AddendumWriter.path(number, beside: path)
            try chain.take(
                bytes(file), proof: bytes(file.dropLast(5) + ".proof"), trust: trust)
        }
        return chain.addenda.compactMap {
            if case .look(let look) = $0.content { look } else { nil }
        }
    }

    @Test func `S1 zones, records and subscriptions that come back are told apart`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let run = try await swept(bench, id)

        let empty = await look(bench, run)
        #expect(empty.status == .done, "\(empty.explanation)")
        #expect(empty.returned?.found == .empty)

        try bench.seed(id, ["a"], records: 0)
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "all", kind: .database))
                ])), at: address(id))
        let bare = await look(bench, run)
        #expect(bare.status == .dataLeft, "\(bare.explanation)")
        #expect(bare.returned?.found == .recreatedEmpty)
        #expect(bare.explanation.hasPrefix("recreated, empty: 2 items"), "\(bare.explanation)")
        #expect(bare.returned?.devices == [])

        try bench.seed(id, ["a"], records: 2)
        let full = await look(bench, run)
        #expect(full.status == .dataLeft)
        #expect(full.returned?.found == .recreatedWithData)
        #expect(full.explanation.hasPrefix("recreated, with data"), "\(full.explanation)")
        #expect(full.returned?.devices.isEmpty == false)
        let zones = full.returned?.rows.first { $0.kind == .customZones }
        #expect(zones?.left == 1 && zones?.withoutData == 0)

        let looks = try addenda(of: run.path, key, count: 3)
        #expect(looks.map(\.found) == [.empty, .recreatedEmpty, .recreatedWithData])
        #expect(looks[2].devices.count == full.returned?.devices.count)
        // S11: neither the device nor the zone by its name.
        let text = String(
            decoding: try Data(
                contentsOf: URL(fileURLWithPath: AddendumWriter.path(3, beside: run.path))),
            as: UTF8.self)
        #expect(!text.isEmpty)
        for device in full.returned?.devices ?? [] { #expect(!looks[2].devices.contains(device)) }
        let trust = TrustFile([.init(name: "operator", key: key.verifying)])
        let ledger = Ledger(folder: bench.folder + "/evidence/ledger")
        #expect(try ledger.audit(trust: trust).size == 4)
    }

    @Test func `a record in the default zone is data, and its device is told`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let run = try await swept(bench, id)
        try bench.seed(id, ["_defaultZone"], records: 1)
        let report = await look(bench, run)
        #expect(report.status == .dataLeft && report.returned?.found == .recreatedWithData)
        #expect(report.returned?.devices.count == 1)
    }

    @Test func `a zone that cannot be looked into counts as one with data`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let run = try await swept(bench, id)
        try bench.seed(id, ["new"], records: 0)
        let tape = Tape { _, entry in
            guard case .read(.zoneChanges(let requests)) = entry.command,
                requests.contains(where: { $0.zoneID.zoneName == "new" })
            else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await look(bench, run, tape)
        #expect(report.status == .dataLeft)
        #expect(report.returned?.found == .recreatedWithData)
    }

    @Test func `S2 a look that cannot see everything is not an empty one`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let run = try await swept(bench, id)
        let tape = Tape { _, entry in
            guard case .read(.listSubscriptions) = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await look(bench, run, tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(report.returned?.found == .incomplete)
        #expect(try addenda(of: run.path, key, count: 1).first?.found == .incomplete)
    }

    @Test func `a look that is cut short adds nothing`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let run = try await swept(bench, id)
        let stop = StopSignal()
        let tape = Tape { _, entry in
            if case .read(.listZones) = entry.command { stop.request(.interrupt) }
            return nil
        }
        let report = await look(bench, run, tape, stop: stop)
        #expect(report.status == .interrupted && report.returned == nil)
        #expect(
            !FileManager.default.fileExists(atPath: AddendumWriter.path(1, beside: run.path)))
        let signedOut = Tape { _, _ in .refuse(CloudError(.authenticationRequired)) }
        #expect(await look(bench, run, signedOut).status == .notSignedIn)
        // The lock of a look that ended is not in the way of the next.
        #expect(await look(bench, run).status == .done)
    }

    @Test func `another person's look is refused, and so is one at a run that is not empty`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        let run = try await swept(bench, id)
        #expect(await look(bench, run, user: "eve").status == .refused)
        let planned = await Sweep(run.request, in: world(of: bench)).plan(on: bench.readable())
        let none = await Sweep(run.request, in: world(of: bench)).watch(
            run: try #require(planned.runID), on: bench.readable())
        #expect(none.status == .usage, "\(none.explanation)")
        let unknown = await Sweep(run.request, in: world(of: bench)).watch(
            run: "nonsense", on: bench.readable())
        #expect(unknown.status == .usage)
        // One that deleted something and left something has nothing that could come back.
        try bench.seed(id, ["c"])
        let tape = Tape { _, entry in
            guard case .write(.modifyZones) = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let partly = await bench.sweep(run.request, tape, world: world(of: bench))
        #expect(partly.status == .partlyFailed, "\(partly.explanation)")
        let left = await Sweep(run.request, in: world(of: bench)).watch(
            run: try #require(partly.runID), on: bench.readable())
        #expect(left.status == .usage, "\(left.explanation)")
    }

    @Test func `two looks at once are one too many`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let run = try await swept(bench, id)
        let other = Locked<SweepReport?>(nil)
        let isFirst = Locked(true)
        let wanted = run.request
        let inner = world(of: bench)
        struct Pausing: CloudDatabase {
            let base: MockDatabase
            let meanwhile: @Sendable () async -> Void
            var address: Database.Address { base.address }
            func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                if case .read(.listZones) = command { await meanwhile() }
                return try await base.perform(command)
            }
        }
        let cloud = bench.cloud
        let report = await Sweep(wanted, in: world(of: bench)).watch(run: run.run) { address in
            ReadOnlyDatabase(
                Pausing(base: cloud.database(at: address, user: "ada")) {
                    let begins = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    guard begins else { return }
                    let second = await Sweep(wanted, in: inner).watch(
                        run: run.run, on: bench.readable())
                    other.withLock { $0 = second }
                })
        }
        #expect(report.status == .done, "\(report.explanation)")
        #expect(other.withLock { $0 }?.status == .locked)
    }

    // MARK: The schedule

    private static func at(_ seconds: Int64) -> Timestamp {
        Bench.now.advanced(by: .seconds(seconds))
    }

    @Test func `a schedule goes on where it was, and makes up for nothing`() {
        var schedule = WatchSchedule(
            from: Self.at(0), for: .seconds(3600), every: .seconds(600))
        #expect(schedule.looksInAll == 7)
        #expect(schedule.wait(at: Self.at(0)) == .zero)
        schedule.looked(at: Self.at(20), .empty)
        #expect(schedule.next == Self.at(600))
        #expect(schedule.wait(at: Self.at(100)) == .seconds(500))
        // Nobody looked for a while: one look, and then by the schedule again.
        #expect(schedule.wait(at: Self.at(1900)) == .zero)
        schedule.looked(at: Self.at(1900), .incomplete)
        #expect(schedule.next == Self.at(2400))
        schedule.looked(at: Self.at(2400), .empty)
        #expect(schedule.next == Self.at(3000) && schedule.worst == .incomplete)
        schedule.looked(at: Self.at(3601), .empty)
        #expect(schedule.next == nil && schedule.wait(at: Self.at(4000)) == nil)
        #expect(schedule.looks == 4)
    }

    @Test func `a schedule is kept with its run, and goes with its names`() async throws {
        let bench = try Bench()
        let run = try await swept(bench, try container("one")).run
        let book = WatchBook(stateFolder: bench.folder)
        #expect(try await book.schedule(of: run) == nil)
        var schedule = WatchSchedule(
            from: Self.at(0), for: .seconds(86_400), every: .seconds(3600))
        schedule.looked(at: Self.at(10), .recreatedEmpty)
        try await book.keep(schedule, of: run)
        #expect(try await book.schedule(of: run) == schedule)
        let entries = try await SweepHistory(stateFolder: bench.folder).runs()
        #expect(entries.first { $0.runID == run }?.watch == schedule)
        let forgetter = RunForgetter(
            stateFolder: bench.folder, wallClock: .fixed(Bench.now))
        _ = try await forgetter.forget(run, abandons: false)
        await forgetter.close()
        #expect(try await book.schedule(of: run) == nil)
        await #expect(throws: JournalError.self) { try await book.keep(schedule, of: run) }
    }

    @Test func `a damaged schedule is no schedule that is over`() async throws {
        let bench = try Bench()
        let run = try await swept(bench, try container("one")).run
        let journal = SQLiteJournal(folder: bench.folder)
        let row = try await journal.run(id: run)
        for text in ["", "{}", #"{"began":0,"every":1,"looks":0,"until":5}"#] {
            try await journal.write([.note(key: "watch", value: Array(text.utf8))], run: row.key)
            await #expect(throws: JournalError.self) {
                try await WatchBook(stateFolder: bench.folder).schedule(of: run)
            }
        }
        await journal.close()
    }
}
