import Basics
import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// S17: nothing in the state folder names a person once that was asked for.
@Suite(.timeLimit(.minutes(30)))
struct ForgetVerbTests {
    /// Every zone, record and subscription of a person in the demonstration's data.
    private func names(of user: String) throws -> [String] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: MockStart.fixture))
        let fixture = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        var names: Set<String> = []
        for database in fixture["databases"] as? [[String: Any]] ?? []
        where database["user"] as? String == user {
            for zone in database["zones"] as? [[String: Any]] ?? [] {
                names.insert(zone["name"] as? String ?? "")
                for record in zone["records"] as? [[String: Any]] ?? [] {
                    names.insert(record["recordName"] as? String ?? "")
                }
            }
            for subscription in database["subscriptions"] as? [[String: Any]] ?? [] {
                names.insert(subscription["subscriptionID"] as? String ?? "")
            }
        }
        // Everybody has one.
        return names.subtracting(["_defaultZone", ""]).sorted()
    }

    /// Which names are in which files of the state folder.
    private func found(_ names: [String], _ scene: SweepScene) throws -> [String] {
        let folder = scene.world.folder + "/runs"
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder: ObjCBool = false
            let whole = "\(folder)/\(path)"
            _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
            if isFolder.boolValue { continue }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
            for name in names where bytes.range(of: Data(name.utf8)) != nil {
                found.append("\(path): \(name)")
            }
        }
        return found
    }

    private func person(_ scene: SyncScene) async throws -> String {
        try await scene.withDatabase { database in
            guard case .user(let person) = try await database.perform(.read(.caller)) else {
                return ""
            }
            return person.userRecordName
        }
    }

    /// A plan, an approval and a sweep by its digest.
    private func sweep(_ scene: SweepScene) async throws -> Int32 {
        let planned = try await scene.cksweep(
            "plan", "-o", UUID().uuidString, "--json-into", "plan.jsonl")
        #expect(planned.code == 0, "\(planned.errors)")
        return try await scene.cksweep(
            "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms"
        ).code
    }

    @Test
    func `plan files and exports that still hold names are listed, as long as they are there`()
        async throws
    {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "-o", "ann's.plan").code == 0)
            #expect(try await scene.cksweep("plan", "-o", "deleted.plan").code == 0)
            #expect(try await scene.cksweep("export", "-o", "ann").code == 0)
            try FileManager.default.removeItem(atPath: scene.world.folder + "/deleted.plan")
            let forgotten = try await scene.cksweep("forget", "last", "--json-into", "f.jsonl")
            #expect(forgotten.code == 0, "\(forgotten.errors)")
            let event = try #require(
                try scene.events("f.jsonl").first { $0["event"] as? String == "forgotten" })
            let folder = scene.world.folder
            #expect(event["files"] as? [String] == ["\(folder)/ann", "\(folder)/ann's.plan"])
            #expect(
                forgotten.output.hasSuffix(
                    """
                    These files still contain names; delete them yourself:
                      \(folder)/ann
                      '\(folder)/ann'\\''s.plan'

                    """), "\(forgotten.output)")
            // The paths are words of the operator about a person, and are forgotten as well.
            let again = try await scene.cksweep("forget", "last")
            #expect(again.code == 0 && !again.output.contains("ann"), "\(again.output)")
        }
    }

    @Test func `S17 after forgetting no byte of the state folder names the person`() async throws {
        let names = try names(of: "ann")
        #expect(names.count > 20)
        try await SyncScene.run { scene in
            let person = try await person(scene)
            #expect(person.hasPrefix("_"))
            let donated = try await scene.donate("runs", SyncEndToEndTests.donations)
            #expect(donated.code == 0, "\(donated.errors)")
            let scene = scene.scene
            #expect(try await self.sweep(scene) == 0)
            let before = try found(names + [person], scene)
            for name in ["journal.sqlite", "donations.sqlite"] {
                #expect(before.contains { $0.contains(name) }, "\(name) names nobody")
            }
            let runs = try await scene.cksweep("runs", "--rehearsal", "--json")
            let run = try #require(runs.output.firstMatch(of: #/"run":"([^"]+)"/#)?.1)
            let folder = scene.world.folder + "/runs/rehearsal"
            // As a process leaves them that is killed while it works by a plan.
            for path in ["\(run).plan", "\(run).plan.7.1.part"] {
                try scene.world.put(names.joined(), at: "runs/rehearsal/\(path)")
            }
            let evidence = "\(folder)/evidence/\(run).json"
            let shown = try Data(contentsOf: URL(fileURLWithPath: evidence))

            let forgotten = try await scene.cksweep("forget", String(run))
            #expect(forgotten.code == 0, "\(forgotten.errors)")
            #expect(forgotten.output.contains("FORGOTTEN: "))
            let said = forgotten.output.replacing("\n  ", with: " ")
            #expect(said.contains("and of 1 other run about the same user"), "\(said)")
            #expect(try found(names + [person], scene) == [])
            // What names nobody is still there.
            #expect(try Data(contentsOf: URL(fileURLWithPath: evidence)) == shown)
            let list = try await scene.cksweep("runs", "--rehearsal")
            #expect(list.output.contains(run) && list.output.contains("0, done, names forgotten"))
            let report = try await scene.cksweep("report", String(run), "--as", "json")
            #expect(report.code == 0 && report.output.contains(#""deleted""#))
            let verified = try await scene.cksweep("verify", String(run))
            #expect(verified.code == 2)
            #expect(verified.output.contains("its names were forgotten"), "\(verified.output)")
            // Once more changes nothing.
            #expect(try await scene.cksweep("forget", String(run)).code == 0)
            #expect(try found(names + [person], scene) == [])
        }
    }

    @Test func `a run that could be continued is forgotten only when somebody gives it up`()
        async throws
    {
        let names = try names(of: "ann")
        try await SweepScene.run { scene in
            #expect(await scene.mock("faults", "zones/modify -> ACCESS_DENIED") == 0)
            #expect(try await self.sweep(scene) == 5)
            #expect(await scene.mock("faults", "--clear") == 0)
            let digest = try scene.digest("plan.jsonl")
            let refused = try await scene.cksweep("forget", "last")
            #expect(refused.code == 3)
            #expect(refused.errors.contains("--abandon\" abandons it"), "\(refused.errors)")
            let resume = #/"cksweep resume \S+ --state runs"/#
            #expect(refused.errors.contains(resume), "\(refused.errors)")
            let rehearsing = try await scene.cksweep(
                "forget", "last", variables: ["CLOUDKIT_EMULATOR_URL": "https://localhost:1"])
            let whole = #/"cksweep resume \S+ --rehearsal --state runs"/#
            #expect(rehearsing.errors.contains(whole), "\(rehearsing.errors)")
            let unasked = try await scene.cksweep("forget", "last", "--abandon")
            #expect(unasked.code == 3 && unasked.errors.contains("--approve \(digest)"))
            let other = try await scene.cksweep(
                "forget", "last", "--abandon", "--approve", String(repeating: "0", count: 64))
            #expect(other.code == 3)
            for answer in [["yes"], []] {
                let no = try await scene.cksweep(
                    "forget", "last", "--abandon", typed: answer, isTerminal: true)
                #expect(no.code == 3 && no.errors.contains("nothing was forgotten"))
            }
            #expect(try !found(names, scene).isEmpty)
            let runs = try await scene.cksweep("runs", "--rehearsal", "--json")
            let run = try #require(runs.output.firstMatch(of: #/"run":"([^"]+)"/#)?.1)
            let yes = try await scene.cksweep(
                "forget", "last", "--abandon", typed: ["abandon \(run)"], isTerminal: true)
            #expect(yes.code == 0, "\(yes.errors)")
            #expect(try found(names, scene) == [])
            #expect(try await scene.cksweep("resume", String(run)).code == 2)
            // The next one begins anew.
            #expect(try await self.sweep(scene) == 0)
        }
    }

    @Test func `an approval is no word without giving up`() async throws {
        let world = try TestWorld()
        #expect(await world.run("forget", "last", "--approve", "d") == 2)
        #expect(world.errors.text.contains("--approve needs --abandon"))
        #expect(await world.run("forget", "last") == 2)
    }

    @Test func `S17 old runs are removed with every name, and newer ones stay`() async throws {
        let names = try names(of: "ann")
        try await SweepScene.run { scene in
            #expect(try await self.sweep(scene) == 0)
            let prune = { (time: Int64) async -> (code: Int32, output: String) in
                let output = MemorySink()
                var environment = scene.world.environment()
                environment.output = output
                environment.wallClock = .fixed(
                    Timestamp(milliseconds: TestWorld.moment.milliseconds + time))
                let code = await Dispatcher.run(
                    ["runs", "--rehearsal", "--prune", "90d", "--state", "runs"], in: environment
                ).code
                return (code, output.text)
            }
            let day: Int64 = 86_400_000
            let early = await prune(90 * day)
            #expect(early.code == 0 && early.output.contains("No run ended before"))
            #expect(try !found(names, scene).isEmpty)
            let late = await prune(91 * day)
            #expect(late.code == 0 && late.output.contains("REMOVED: 2 runs"), "\(late.output)")
            #expect(try found(names, scene) == [])
            let list = try await scene.cksweep("runs", "--rehearsal")
            #expect(list.errors.contains("No runs in"), "\(list.output)")
        }
    }
}
