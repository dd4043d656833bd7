import CloudKit
import FileSystem
import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// A program on a server, compiled as its article shows it and run against the mock server.
struct BackendTests {
    /// Files of one test, which go with it.
    private struct Place: ~Copyable {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "cksweep-backend-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }

        /// Makes a key pair: `NAME.pem` and `NAME.pub.pem`.
        func makeKey(_ name: String) throws {
            let command = """
                openssl ecparam -name prime256v1 -genkey -noout -out \(name).pem 2>&1 &&
                openssl ec -in \(name).pem -pubout -out \(name).pub.pem 2>&1
                """
            let ended = try Program.run("/bin/sh", ["-c", command], [:], in: path)
            try #require(ended.status == 0, "\(ended.output)")
        }

        /// Runs a shell script under a mock server of its own.
        func rehearse(
            _ script: String, _ options: [String] = [], _ variables: [String: String]
        ) throws -> Program.Ended {
            let fixture = Repository.url("Containers/fixtures/demo.json")
            return try Program.run(
                Program.path("cksweep"),
                ["mock", "exec", "--state", path + "/state", "--seed", fixture.path] + options
                    + ["--", "/bin/sh", "-c", script, Program.path("BackendSwift6")], variables,
                in: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func `a server-to-server key saves, finds and deletes public records`() throws {
        let place = try Place()
        try place.makeKey("known")
        let ended = try place.rehearse(
            "\"$0\"", ["--server-key", "Backend=\(place.path)/known.pub.pem"],
            ["BACKEND_KEY_ID": "Backend", "BACKEND_KEY_FILE": place.path + "/known.pem"])
        #expect(ended.status == 0, "\(ended.output)")
        let told = ended.lines.filter { $0.hasPrefix("published") }
        #expect(
            told == ["published: Minestrone withdrawn: 0", "published: Pea soup withdrawn: 1"],
            "\(ended.output)")
    }

    @Test(arguments: [("Backend", "other"), ("Unknown", "known")])
    func `a key that the service does not know is not authenticated`(
        id: String, file: String
    ) throws {
        let place = try Place()
        try place.makeKey("known")
        try place.makeKey("other")
        let ended = try place.rehearse(
            "\"$0\"", ["--server-key", "Backend=\(place.path)/known.pub.pem"],
            ["BACKEND_KEY_ID": id, "BACKEND_KEY_FILE": "\(place.path)/\(file).pem"])
        #expect(ended.status == 1)
        #expect(ended.lines.contains { $0.hasPrefix("failed: 9 ") }, "\(ended.output)")
        #expect(!ended.output.contains("PRIVATE KEY"))
    }

    /// The service takes each token once here: with the first one in hand a second start would be
    /// refused.
    @Test func `a person stays signed in over starts of the program`() throws {
        let place = try Place()
        let start = """
            printf %s "$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN" > token && chmod 600 token
            cp token first
            export BACKEND_API_TOKEN="$CLOUDKIT_EMULATOR_API_TOKEN"
            "$0" && "$0" && ! cmp -s token first && stat -c mode:%a token
            """
        let ended = try place.rehearse(
            start, ["--strict-tokens"], ["BACKEND_TOKEN_FILE": place.path + "/token"])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.lines.filter { $0 == "seen" }.count == 2, "\(ended.output)")
        #expect(ended.lines.contains("mode:600"), "\(ended.output)")
    }

    @Test func `the article shows the program as it is`() throws {
        let article = try text("Sources/Apple/CloudKit/CloudKit.docc/CloudKitForServersInSwift.md")
        let folder = "Tests/Apple/CloudKitApps/BackendSwift6/"
        let program = try text(folder + "main.swift") + text(folder + "Connecting.swift")
        let snippets = article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(snippets.count == 4)
        for snippet in snippets { #expect(program.contains(snippet), "\(snippet)") }
    }

    private func text(_ path: String) throws -> String {
        try String(
            contentsOf: Repository.url(path), encoding: .utf8)
    }
}
