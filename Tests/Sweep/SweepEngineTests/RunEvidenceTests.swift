import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Evidence
import Foundation
import Journal
import MockStore
import OpenSSL
import SweepEngine
import Testing

/// What a run signs, checked as a stranger does.
struct RunEvidenceTests {
    private static let serverKey = String(repeating: "5e", count: 32)

    /// A world that takes the mock for Apple's.
    private func world(
        of bench: Bench, server: ServerFacts = .apple, stop: StopSignal = StopSignal()
    ) -> SweepWorld {
        var world = bench.world(stop: stop)
        world.server = server
        world.serverKey = { Self.serverKey }
        return world
    }

    private func attest(_ path: String, _ key: SigningKey) throws -> Attestation {
        let stem = String(path.dropLast(5))
        return try Attestation(
            envelope: Array(try Data(contentsOf: URL(fileURLWithPath: path))),
            events: stem + ".events.jsonl",
            proof: Array(try Data(contentsOf: URL(fileURLWithPath: stem + ".proof"))),
            trust: TrustFile([.init(name: "operator", key: key.verifying)]))
    }

    @Test(arguments: [[Database.Scope.private], [.private, .shared, .public]])
    func `S12 a whole run at Apple's host is signed as complete`(
        scopes: [Database.Scope]
    ) async throws {
        let bench = try Bench()
        let ids = [try container("two"), try container("one")]
        for id in ids {
            try bench.seed(id, ["very private zone", "other"])
            try bench.seed(id, ["_defaultZone"])
        }
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let report = await bench.sweep(
            request(ids, scopes: scopes), world: world(of: bench))
        #expect(report.status == .done, "\(report.explanation)")
        let path = try #require(report.evidencePath)
        let attestation = try attest(path, key)
        let facts = attestation.statement.facts
        #expect(attestation.statement.verdict == .complete)
        #expect(attestation.ledgerSize == 1)
        #expect(facts.containers.map(\.identifier) == ids.map(\.rawValue).sorted())
        #expect(facts.service.url == ServerFacts.apple.url)
        #expect(facts.service.keyDigest == Self.serverKey)
        #expect(facts.counts.deleted == report.tally.deleted && facts.counts.deleted > 0)
        #expect(facts.counts.planned == facts.counts.deleted)
        #expect(facts.passes.count == report.passes.count)
        #expect(facts.plan?.digest == report.plan?.digest && facts.plan?.approvedAt != nil)
        #expect(facts.events.chainHead == report.chainHead)
        // S11: no name, and not the pseudonyms that link the runs of the state folder either.
        let user = try bench.cloud.withStore {
            $0.userRecordName(of: "ada", in: ids[0], .development)
        }
        let secrets =
            ["very private", "_defaultZone-0", user] + report.subjects.map(\.userPseudonym)
        let events = try String(
            contentsOfFile: path.dropLast(5) + ".events.jsonl", encoding: .utf8)
        for text in [String(decoding: attestation.statement.bytes, as: UTF8.self), events] {
            for secret in secrets { #expect(!text.contains(secret), "evidence holds \(secret)") }
        }
    }

    /// Neither has steps of its own: both are deleted with the zone that holds them.
    @Test func `S12 assets and shares that were deleted are in a complete statement`() async throws
    {
        let scene = try AssetScene()
        _ = try scene.bench.cloud.withStore {
            try $0.simulate(
                SimulatedEvent(.share, user: "ada", in: scene.id, zone: "Trips", with: "eve"))
        }
        let key = try KeyFolder(stateFolder: scene.bench.folder).make()
        var world = world(of: scene.bench)
        world.assetProbe = scene.probe
        let report = await scene.bench.sweep(scene.wanted, world: world)
        #expect(report.status == .done, "\(report.explanation)")
        let statement = try attest(try #require(report.evidencePath), key).statement
        #expect(statement.verdict == .complete)
        let deleted = statement.facts.coverage.filter { $0.counts.deleted > 0 }.map(\.place.kind)
        #expect(Set(deleted).isSuperset(of: ["assets", "shares with others"]), "\(deleted)")
    }

    @Test func `S12 a clock that is set back during the run changes nothing`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        var world = world(of: bench)
        let reads = Locked<Int64>(0)
        // Whoever reads it finds it an hour earlier than the last reader.
        world.wallClock = WallClock {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            return Bench.now.advanced(by: .seconds(-3600 * count))
        }
        let report = await bench.sweep(request([id]), world: world)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(
            try attest(try #require(report.evidencePath), key).statement.verdict == .complete)
    }

    @Test func `S12 a run whose statement is not complete does not end with 0, and says why`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        var nameless = world(of: bench)
        // Nothing shows that it was Apple's service.
        nameless.serverKey = { nil }
        let report = await bench.sweep(request([id]), world: nameless)
        #expect(try bench.left() == 0)
        #expect(report.status == .internalError)
        #expect(
            report.explanation.contains(
                "the evidence cannot say complete: the key of the server's certificate is unknown"
            ),
            "\(report.explanation)")
        #expect(report.explanation.contains("\"cksweep verify\""))
        let statement = try attest(try #require(report.evidencePath), key).statement
        #expect(statement.verdict != .complete)
        #expect(statement.facts.run.exitStatus == 1)
        #expect(!report.canResume)
        let later = await Sweep(request([id]), in: world(of: bench)).verify(
            run: nil, on: bench.readable())
        #expect(later.status == .done, "\(later.explanation)")
    }

    /// By how much the machine's clock is set back before a run is continued, in seconds.
    @Test(arguments: [200, 3600])
    func
        `S12 a run that is continued goes on from its last event, or says that the clock is behind`(
            seconds: Int64
        ) async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            stop.request(.interrupt)
            return .refuse(CloudError(.throttled))
        }
        let first = await bench.sweep(request([id]), tape, world: world(of: bench, stop: stop))
        #expect(first.status == .interrupted)
        var early = world(of: bench)
        let clock = bench.clock
        let start = Bench.now.advanced(by: .seconds(-seconds))
        early.wallClock = WallClock { start.advanced(by: clock.now.sinceStart) }
        let second = await Sweep(request([id]), in: early).resume(
            run: first.runID, on: bench.databases())
        guard seconds < 300 else {
            #expect(second.status == .usage)
            #expect(second.explanation.contains("set the clock"), "\(second.explanation)")
            #expect(try bench.left() > 0)
            return
        }
        #expect(second.status == .done, "\(second.explanation)")
        let statement = try attest(try #require(second.evidencePath), key).statement
        #expect(statement.verdict == .complete)
    }

    @Test func `what is not Apple's host is a rehearsal, and one key less is none`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let report = await bench.sweep(
            request([id]),
            world: world(of: bench, server: ServerFacts(url: "https://x", isRehearsal: true)))
        #expect(report.status == .done)
        #expect(
            try attest(try #require(report.evidencePath), key).statement.verdict == .rehearsal)
    }

    @Test func `S12 a run that falls short signs a partial statement, and goes on in the ledger`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            stop.request(.interrupt)
            return .refuse(CloudError(.throttled))
        }
        let first = await bench.sweep(
            request([id]), tape, world: world(of: bench, stop: stop))
        #expect(first.status == .interrupted, "\(first.explanation)")
        let path = try #require(first.evidencePath)
        let partial = try attest(path, key)
        #expect(partial.statement.verdict == .partial)
        #expect(partial.statement.facts.counts.deleted == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let second = await Sweep(request([id]), in: world(of: bench)).resume(
            run: first.runID, on: bench.databases())
        #expect(second.status == .done, "\(second.explanation)")
        let complete = try attest(try #require(second.evidencePath), key)
        #expect(complete.statement.verdict == .complete)
        #expect(complete.statement.facts.continues == Hexadecimal.encode(SHA256.hash(Array(bytes))))
        #expect(complete.ledgerSize == 2)
        let ledger = Ledger(folder: bench.folder + "/evidence/ledger")
        let trust = TrustFile([.init(name: "operator", key: key.verifying)])
        #expect(try ledger.audit(trust: trust).size == 2)
        #expect(try ledger.envelopes()[0] == Array(bytes))
    }

    private struct Cut: Error {}

    @Test func `S7 a run cut off right after it has signed goes on, and its ledger stays whole`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let key = try KeyFolder(stateFolder: bench.folder).make()
        var cut = world(of: bench)
        let entry = bench.folder + "/evidence/ledger/00000000.json"
        cut.journalHook = { _ in
            if FileManager.default.fileExists(atPath: entry) { throw Cut() }
        }
        let first = await bench.sweep(request([id]), world: cut)
        #expect(first.status != .done && first.evidencePath == nil, "\(first.explanation)")
        #expect(FileManager.default.fileExists(atPath: entry))
        let second = await Sweep(request([id]), in: world(of: bench)).resume(
            run: nil, on: bench.databases())
        #expect(second.status == .done, "\(second.explanation)")
        let attestation = try attest(try #require(second.evidencePath), key)
        #expect(attestation.statement.verdict == .complete)
        #expect(attestation.statement.facts.continues != nil)
        let trust = TrustFile([.init(name: "operator", key: key.verifying)])
        #expect(
            try Ledger(folder: bench.folder + "/evidence/ledger").audit(trust: trust).size == 2)
    }

    @Test func `a verification that finds nothing is signed, too`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let report = await Sweep(request([id]), in: world(of: bench)).verify(
            run: nil, on: bench.readable())
        #expect(report.status == .done, "\(report.explanation)")
        let statement = try attest(try #require(report.evidencePath), key).statement
        #expect(statement.verdict == .complete && statement.facts.plan == nil)
    }

    @Test func `S12 a verification of what a rule keeps is complete, and gives the rule's reason`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["Receipts"])
        try bench.seed(id, ["_defaultZone"], type: "Invoice")
        let key = try KeyFolder(stateFolder: bench.folder).make()
        let policy = Policy(protect: [
            ProtectRule(zone: "Receipts", reason: "tax law"),
            ProtectRule(recordType: "Invoice", reason: "accounts"),
        ])
        let report = await Sweep(
            request([id], types: ["Note", "Invoice"], policy: policy), in: world(of: bench)
        ).verify(run: nil, on: bench.readable())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .customZones }?.reason == "tax law")
        let statement = try attest(try #require(report.evidencePath), key).statement
        #expect(statement.verdict == .complete && statement.facts.counts.kept == 4)
    }

    @Test func `S17 forgetting a run takes the key of its pseudonyms out of every file`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let report = await bench.sweep(request([id]), world: world(of: bench))
        let run = try #require(report.runID)
        let journal = SQLiteJournal(folder: bench.folder, readOnly: true)
        let row = try await journal.run(id: run)
        let key = try #require(try await journal.note(run: row.key, key: "case key"))
        await journal.close()
        func isThere() throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: bench.folder).contains {
                let url = URL(fileURLWithPath: "\(bench.folder)/\($0)")
                guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                else { return false }
                return try Data(contentsOf: url).range(of: Data(key)) != nil
            }
        }
        #expect(try isThere())
        let forgetter = RunForgetter(
            stateFolder: bench.folder, wallClock: .fixed(Bench.now))
        #expect(try await forgetter.forget(run, abandons: false).runs == [run])
        await forgetter.close()
        #expect(try !isThere())
        let pseudonym = try await SweepHistory(stateFolder: bench.folder).pseudonym(
            ofUser: "x", run: run, in: id.rawValue, "development")
        #expect(pseudonym == nil)
    }

    @Test func `two runs of one person have two pseudonyms in evidence`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let key = try KeyFolder(stateFolder: bench.folder).make()
        var users: [String] = []
        for _ in 0..<2 {
            let report = await Sweep(request([id]), in: world(of: bench)).verify(
                run: nil, on: bench.readable())
            let facts = try attest(try #require(report.evidencePath), key).statement.facts
            users += facts.containers.map(\.user)
        }
        #expect(Set(users).count == 2)
    }
}
