import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// What an operator does about one request, from the sign-in to the day when the names are forgotten:
/// every verb by the program itself, at a server that takes each web token once.
@Suite(.timeLimit(.minutes(30)))
struct ChainTests {
    /// To record it anew: `CKSWEEP_RECORD_SNAPSHOTS=1`, then look at the difference before keeping it.
    private static let transcript = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("chain.txt")
    private static let containers = [
        (
            "",
            [
                "Album", "Article", "Bookmark", "Folder", "Note", "Person", "Photo", "Profile",
                "Visit",
            ]
        ),
        (".documents", ["Document", "Page", "RecentItem", "Template"]),
        (".settings", ["Device", "Preference", "Setting"]),
    ]

    /// One chain under way.
    private final class Chain {
        private let folder: URL
        private let variables: [String: String]
        private(set) var text = ""

        init(in folder: URL, _ ready: [String: Any]) throws {
            self.folder = folder
            let authority = ready["ca"] as? String ?? ""
            let entries = ChainTests.containers.map { suffix, types in
                let types = types.map { "\"\($0)\"" }.joined(separator: ", ")
                return "{ \"identifier\": \"iCloud.com.example.myexampleapp\(suffix)\", "
                    + "\"recordTypes\": [\(types)] }"
            }
            try """
            { "version": 1, "application": "com.example.myexampleapp",
              "environment": "development",
              "server": { "url": "\(ready["url"] as? String ?? "")", "ca": "\(authority)" },
              "containers": [ \(entries.joined(separator: ",\n")) ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "login" } }
            """.write(
                to: folder.appendingPathComponent("app.json"), atomically: true, encoding: .utf8)
            variables = [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path,
                "API": ready["apiToken"] as? String ?? "",
                "BROWSER": try SignInBrowser.put(in: folder), "BROWSER_CA": authority,
            ]
        }

        /// Carries out a verb and writes down what it says, to whom it may say it, and its exit status.
        func say(_ line: String) throws {
            let words = line.split(separator: " ").map(String.init)
            let ended = try Tool.run(
                Program.path, words, variables: variables, folder: folder.path, errors: .joined)
            text += "$ cksweep \(line)\n\(ended.text)exit \(ended.status)\n\n"
        }

        func read(_ path: String) throws -> String {
            try String(
                contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        }
    }

    @Test func `from the sign-in to the day when the names are forgotten`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let state = folder.url.appendingPathComponent("server").path
        let ready = folder.url.appendingPathComponent("ready.json")
        let fixture = Repository.url("Containers/fixtures/demo.json")
        let server = try Program.start(
            [
                "mock", "serve", "--strict-tokens", "--seed", fixture.path, "--state", state,
                "--ready-file", ready.path,
            ], environment: [:], in: .plain)
        let chain: Chain
        do {
            _ = try #require(try server.line(with: "ready "))
            let facts = try JSONSerialization.jsonObject(with: try Data(contentsOf: ready))
            chain = try Chain(in: folder.url, facts as? [String: Any] ?? [:])
            try go(chain)
        } catch {
            try server.kill()
            throw error
        }
        try server.kill()
        try compare(Self.withoutChance(chain.text, folder.url.path))
    }

    private func go(_ chain: Chain) throws {
        func say(_ line: String) throws { try chain.say(line + " -c app.json --state s -q") }
        try say("login")
        try say("doctor")
        try chain.say("evidence init --rehearsal --state s")
        try say("plan -o ann.plan --json-into plan.jsonl")
        let planned = try chain.read("plan.jsonl")
        try say("export -o ann")
        try chain.say("export --check ann")
        let digest = try #require(planned.firstMatch(of: /"digest":"([0-9a-f]{64})"/)).1
        try say("apply ann.plan --approve \(digest) --verify-pause 1ms --json-into apply.jsonl")
        try say("verify last --verify-pause 1ms")
        try chain.say("runs --rehearsal --state s")
        let applied = try chain.read("apply.jsonl")
        let run = try #require(applied.firstMatch(of: /"run":"([0-9TZ]+-[0-9a-f]+)"/)).1
        try chain.say("report \(run) --state s")
        let evidence = "s/rehearsal/evidence/\(run)"
        let key = "--key s/rehearsal/keys/evidence.pub.pem"
        try chain.say("attest \(evidence).json \(key)")
        try chain.say("attest \(evidence).json \(key) --require complete")
        try say("watch \(run) --once --verify-pause 1ms")
        try chain.say("attest \(evidence).addendum-1.json \(key)")
        try chain.say("forget \(run) --state s")
        try say("watch \(run) --once")
        try chain.say("attest \(evidence).json \(key)")
        try say("logout")
        try say("verify --verify-pause 1ms")
    }

    /// The transcript without what is another each time.
    private static func withoutChance(_ text: String, _ folder: String) -> String {
        var text = text.replacing(folder, with: "FOLDER")
        text.replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/, with: "RUN")
        text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
        text.replace(/localhost:\d+/, with: "localhost:PORT")
        text.replace(/127\.0\.0\.1:\d+\/[^ \n]*/, with: "127.0.0.1:PORT/PAGE")
        text.replace(/\b_?[0-9a-f]{8,}\b…?/, with: "HEX")
        text.replace(/(\d+ min )?[\d.]+ (ms|s)\b/, with: "SOME TIME")
        text.replace(/[\d.,]+ (MiB|GiB|TiB)\b/, with: "SOME SPACE")
        text.replace(/[\d,]+ requests/, with: "N requests")
        text.replace(/requests  +[\d,]+, \d+ retried/, with: "requests  N, M retried")
        // A subscription of a zone is deleted by its own request or with the zone, whichever comes first.
        text.replace(/(\d+) deleted(?:, (\d+) already deleted)?/) {
            "\((Int($0.1) ?? 0) + (Int($0.2 ?? "0") ?? 0)) deleted or already deleted"
        }
        text.replace(/deleted (\d+) · already deleted (\d+)/) {
            "deleted or already deleted \((Int($0.1) ?? 0) + (Int($0.2) ?? 0))"
        }
        // A longer line is wrapped.
        text.replace(/already deleted; (\d+)\n +empty/) { "already deleted; \($0.1) empty" }
        // Columns are as wide as what stood in them.
        return text.replacing(/(\S) {2,}/) { "\($0.1)  " }
    }

    private func compare(_ text: String) throws {
        if ProcessInfo.processInfo.environment["CKSWEEP_RECORD_SNAPSHOTS"] == "1" {
            try text.write(to: Self.transcript, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: Self.transcript, encoding: .utf8)
        let lines = (text.split(separator: "\n"), kept.split(separator: "\n"))
        let other = zip(lines.0, lines.1).first { $0 != $1 }
        #expect(
            text == kept,
            "differs from \(Self.transcript.lastPathComponent): \(other.map { "\($0)" } ?? "length")"
        )
    }
}
