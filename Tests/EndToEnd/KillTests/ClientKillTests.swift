import Basics
import Foundation
import JSON
import RandomSeeds
import Testing

/// `kill -9` of a sweep at random moments, then `resume` until it is done.
///
/// Most run in containers of their own, where this machine lets us make them.
@Suite(.serialized)
struct ClientKillTests {
    static let containers = ["iCloud.com.example.one", "iCloud.com.example.two"]

    static let seeds = Seeds.range("killed sweeps", 15, long: 500, sanitized: 5)

    @Test func `S7 a killed sweep is resumed to the same end, in one run`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let users = Self.seeds.map { "user\($0)" }
        let server = try ServerProcess(folder: folder.url, users: users + ["bystander"])
        defer { server.stop() }
        _ = try await server.admin(.post, "seed", Self.seed(["bystander"]))
        let before = try await server.answer(.get, "dump?user=bystander")
        // So slow that a sweep takes longer than most kills wait.
        _ = try await server.admin(.post, "faults", #"["any -> delay 40ms"]"#)
        var kills = 0
        for seed in Self.seeds {
            kills += try await rehearse(seed, server, folder.url)
        }
        let after = try await server.answer(.get, "dump?user=bystander")
        #expect(before == after && !before.isEmpty)
        // Most of the kills must have hit something, or this shows nothing.
        #expect(kills >= Self.seeds.count)
    }

    /// One user's sweep, killed and resumed. Returns how often the kill came in time.
    private func rehearse(_ seed: UInt64, _ server: ServerProcess, _ folder: URL) async throws
        -> Int
    {
        var random = SeededGenerator(seed: seed)
        let housing = Housing.available[Int(seed) % Housing.available.count]
        let user = "user\(seed)"
        _ = try await server.admin(.post, "seed", Self.seed([user]))
        let home = folder.appendingPathComponent("client\(seed)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let list = home.appendingPathComponent("list.json")
        try Self.list.write(to: list, atomically: true, encoding: .utf8)
        let common = [
            "-c", list.path, "--state", home.appendingPathComponent("state").path, "-q",
            "--json", "--rehearsal",
        ]
        let environment = try server.environment(user: user)
        let plan = home.appendingPathComponent("plan").path
        let planned = try Program.run(["plan", "-o", plan] + common, environment: environment)
        let digest = try #require(
            Self.value("digest", in: planned.output), "seed \(seed): \(planned.errors)")
        let apply = ["apply", plan, "--approve", digest, "--verify-pause", "1ms"] + common
        let resume = ["resume", "--verify-pause", "1ms"] + common
        var kills = 0
        var hadEnded = false
        var ended = try Program.run(
            apply, environment: environment, killAfter: 0.02 + random.unit() * 0.25,
            in: housing)
        // 9: the killed process is not quite gone yet, and holds its lock.
        for _ in 0..<100 where ended.wasKilled || ended.status == 9 {
            if ended.wasKilled { kills += 1 }
            ended = try Program.run(
                resume, environment: environment,
                killAfter: kills < 4 ? 0.02 + random.unit() * 0.25 : nil, in: housing)
            if ended.status == 2 {
                // Nothing to continue: killed before the run had begun to delete, and the plan is
                // still unused, or after its end had been recorded, and the plan is used.
                ended = try Program.run(apply, environment: environment)
                hadEnded = ended.status == 3
            }
        }
        #expect(
            ended.status == 0 || hadEnded,
            "CKSWEEP_SEED=\(seed) \(housing): exit \(ended.status)\n\(ended.errors)\(ended.output)")
        let summary = try await server.admin(.get, "summary?user=\(user)")
        var left: Int64 = 0
        for database in summary.root["databases"]?.elements.map(\.self) ?? [] {
            for key in ["zones", "records", "subscriptions"] {
                left += database[key]?.int64 ?? 0
            }
        }
        #expect(left == 0, "CKSWEEP_SEED=\(seed): \(left) items are left")
        let runs = try Program.run(
            ["runs", "--rehearsal", "--state", home.appendingPathComponent("state").path, "--json"])
        // One run deleted; others of this plan never got as far as that.
        let applied = runs.output.split(separator: "\n").filter {
            $0.contains(digest) && $0.contains(#""verb":"apply""#)
        }
        #expect(
            applied.filter { $0.contains(#""status":0,"#) }.count == 1
                && applied.allSatisfy { $0.contains(#""canResume":false"#) },
            "CKSWEEP_SEED=\(seed): \(runs.output)")
        return kills
    }

    static func value(_ key: String, in lines: String) -> String? {
        for line in lines.split(separator: "\n") {
            if let event = try? JSONDocument.parse(Array(line.utf8)),
                let text = event.root[key]?.string
            {
                return text
            }
        }
        return nil
    }

    static func seed(_ users: [String]) -> String {
        let names = users.map { "\"\($0)\"" }.joined(separator: ",")
        let list = containers.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"profile":"notes","users":[\#(names)],"containers":[\#(list)],"#
            + #""zones":3,"records":30,"seed":1}"#
    }

    static var list: String {
        let entries = containers.map {
            #"{"identifier":"\#($0)","recordTypes":["Profile","Bookmark","Visit"]}"#
        }
        return
            #"{"version":1,"environment":"development","containers":[\#(entries.joined(separator: ","))],"#
            + #""databases":["private"],"credentials":{"apiToken":"env:A","webAuthToken":"env:B"}}"#
    }
}

/// A folder for one test.
struct Folder {
    let url: URL
    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    func remove() { try? FileManager.default.removeItem(at: url) }
}
