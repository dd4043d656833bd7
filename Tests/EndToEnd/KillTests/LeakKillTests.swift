import Foundation
import LeakSearch
import Testing

/// S11 and S17 for the program itself: what is in its files when it was killed, and once the runs are
/// forgotten.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct LeakKillTests {
    private static let container = "iCloud.com.example.leak"

    private static let list = #"""
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.leak", "recordTypes": [] } ],
          "databases": [ "private" ],
          "credentials": { "apiToken": "env:A", "webAuthToken": "env:W" } }
        """#

    private static var words: MarkedWords {
        var words = MarkedWords()
        words.zones = (0..<30).map { "kiwi-zone-\($0)-z" }
        words.records = (0..<30).map { "kiwi-item-\($0)-z" }
        words.values = ["kiwi-value-1-z", "kiwi-value-2-z"]
        return words
    }

    /// Zones with a record each, whose fields are marked.
    private static var fixture: String {
        let zones = zip(words.zones, words.records).map { zone, record in
            """
            {"name": "\(zone)", "records": [{"recordName": "\(record)", "recordType": "Note",
             "fields": {"title": {"value": "\(words.values[0])", "type": "STRING"},
                        "tags": {"value": ["\(words.values[1])"], "type": "STRING_LIST"}}}]}
            """
        }
        return """
            {"version": 1, "shows": "marked words", "environment": "development", "users": ["ann"],
             "databases": [{"container": "\(container)", "scope": "private", "user": "ann",
              "zones": [\(zones.joined(separator: ","))]}]}
            """
    }

    @Test(arguments: [0.06, 0.1, 0.15, 0.25, 0.4])
    func `S11 and S17 hold for a program that is killed`(seconds: Double) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let server = try ServerProcess(folder: folder.url, users: ["ann"])
        defer { server.stop() }
        func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }
        try Self.fixture.write(toFile: path("fixture.json"), atomically: true, encoding: .utf8)
        try Self.list.write(toFile: path("list.json"), atomically: true, encoding: .utf8)
        let environment = try server.environment(user: "ann")
        var words = Self.words
        words.secrets = [
            environment["CLOUDKIT_EMULATOR_API_TOKEN"] ?? "",
            environment["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"] ?? "",
        ]
        #expect(!words.secrets.contains(""))
        let search = LeakSearch(words)
        let state = path("state")
        func run(_ words: [String], killAfter: Double? = nil) throws -> Program.Ended {
            let ended = try Program.run(
                words + ["--state", state, "-q"], environment: environment, killAfter: killAfter)
            let said = ended.output + ended.errors
            #expect(search.leaks(in: said, for: .operatorOnScreen, "\(words)") == [])
            #expect(try search.leaks(inFolder: state) == [], "\(words)")
            return ended
        }
        let seeded = try Program.run(
            ["mock", "seed", path("fixture.json"), "--state", folder.url.path])
        #expect(seeded.status == 0, "\(seeded.errors)")
        _ = try await server.admin(.post, "faults", #"["any -> delay 15ms"]"#)
        #expect(try run(["evidence", "init", "--rehearsal"]).status == 0)
        let common = ["-c", path("list.json"), "--rehearsal"]
        let planned = try run(["plan", "-o", path("plan"), "--json"] + common)
        let digest = try #require(ClientKillTests.value("digest", in: planned.output))
        let apply = ["apply", path("plan"), "--approve", digest, "--verify-pause", "1ms"] + common
        var ended = try run(apply, killAfter: seconds)
        // 9: the killed process is not quite gone yet, and holds its lock.
        for _ in 0..<100 where ended.wasKilled || ended.status == 9 {
            ended = try run(["resume", "--verify-pause", "1ms"] + common)
            if ended.status == 2 { ended = try run(apply) }
        }
        #expect(ended.status == 0 || ended.status == 3, "\(ended.output)\(ended.errors)")
        // The others are about the same person, also one that was killed while it looked.
        let forgotten = try Program.run(["forget", "last", "--state", state])
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        let left = try search.leaks(inFolder: state, isForgotten: true)
        #expect(left == [])
    }
}
