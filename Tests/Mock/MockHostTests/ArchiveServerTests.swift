import Foundation
import JSON
import MockHost
import MockStore
import RepositoryRoot
import Testing
import ToolRunner

/// Archives over the wire, by curl.
@Suite(.timeLimit(.minutes(10)))
struct ArchiveServerTests {
    typealias Running = MockServerTests.Running
    typealias World = NamespaceTests.World

    private func home(_ running: Running) -> World {
        World(
            running: running, url: running.ready.url, apiToken: running.ready.apiToken,
            webTokens: running.ready.webTokens)
    }

    /// A server with the fixtures that have most.
    private func seeded() throws -> World {
        let world = home(try Running())
        for name in ["demo", "assets", "references", "odd-names"] {
            let answer = try world.admin(
                "POST", "seed", try Repository.text("Containers/fixtures/\(name).json"))
            try #require(answer.status == 200, "\(answer.text)")
        }
        return world
    }

    private func archive(_ world: World) throws -> String {
        let answer = try world.admin("GET", "export")
        try #require(answer.status == 200, "\(answer.text)")
        return answer.text
    }

    private func take(_ text: String, _ world: World) throws -> (status: Int, text: String) {
        let path = world.running.folder.path + "/archive-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try world.curl([
            "--data-binary", "@\(path)", "-H", "content-type: application/x-ndjson",
            world.url + "/_mock/v1/import",
        ])
    }

    @Test func `an archive goes into another server and into a namespace with all it has`() throws {
        let origin = try seeded()
        _ = try origin.admin("PUT", "options", #"{"emptyPages":2}"#)
        _ = try origin.admin("PUT", "clock", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
        let text = try archive(origin)
        #expect(try archive(origin) == text)
        #expect(text.contains(#"{"bytes":""#))
        let other = home(try Running())
        let made = try other.admin("POST", "namespaces", #"{"name":"one"}"#)
        try #require(made.status == 200)
        let one = World(
            running: other.running, url: "https://one.localhost:\(other.running.ready.port)",
            apiToken: "", webTokens: [:])
        let untouched = try archive(one)
        for world in [other, one] {
            let answer = try take(text, world)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try archive(world) == text)
            #expect(try world.admin("GET", "options").text.contains(#""emptyPages":2"#))
            #expect(try world.admin("GET", "clock").text.contains("2031-05-06T07:08:09"))
        }
        #expect(text != untouched)
        // The data, as the service shows them.
        for path in ["dump?user=ann", "dump?user=bob", "dump", "summary", "users"] {
            #expect(try other.admin("GET", path).text == origin.admin("GET", path).text)
        }
    }

    @Test func `the files of assets are there after an import`() throws {
        let origin = try seeded()
        let other = home(try Running())
        #expect(try take(try archive(origin), other).status == 200)
        func folder(_ world: World) throws -> [String] {
            try archive(world).split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix(#"{"asset""#) || $0.hasPrefix(#"{"bytes""#) }
        }
        #expect(try !folder(origin).isEmpty)
        #expect(try folder(other) == folder(origin))
        let records = try other.admin("GET", "dump?user=ann").text
        #expect(records.contains("fileChecksum"))
    }

    @Test func `a bad archive is answered with its place, and nothing changes`() throws {
        let world = try seeded()
        let before = try archive(world)
        _ = try world.admin("PUT", "options", #"{"emptyPages":1}"#)
        let changed = try archive(world)
        var lines = before.split(separator: "\n").map(String.init)
        lines[5] = lines[5].replacingOccurrences(of: "null", with: "nul")
        let answer = try take(lines.joined(separator: "\n") + "\n", world)
        #expect(answer.status == 400)
        #expect(answer.text.contains("line 6, column "), "\(answer.text)")
        let misspelled = try take(before.replacing("emptyPages", with: "emptyPage"), world)
        #expect(misspelled.status == 400 && misspelled.text.contains("line 2, column "))
        #expect(misspelled.text.contains("did you mean \\\"emptyPages\\\"?"), "\(misspelled.text)")
        #expect(try take("", world).status == 400)
        #expect(try take(String(before.dropLast(200)), world).status == 400)
        #expect(try archive(world) == changed)
        let foreign = try world.curl([
            "-d", "{}", "-H", "origin: https://example.com", world.url + "/_mock/v1/import",
        ])
        #expect(foreign.status == 403)
        #expect(try archive(world) == changed)
        #expect(try take(before, world).status == 200)
        #expect(try archive(world) == before)
    }

    @Test func `a server begins with an archive and writes one at its end`() throws {
        let origin = try seeded()
        let text = try archive(origin)
        let folder = origin.running.folder.path
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/state"))
        let running = try Running {
            $0.importFile = folder + "/state"
            $0.exportFile = folder + "/after"
            $0.users = []
            try? $0.set("emptyPages=3")
        }
        #expect(Set(running.ready.webTokens.keys) == ["ann", "bob"])
        let world = home(running)
        #expect(try world.admin("GET", "options").text.contains(#""emptyPages":3"#))
        #expect(try world.make(zone: "New").status == 200)
        let last = try archive(world)
        #expect(!FileManager.default.fileExists(atPath: folder + "/after"))
        #expect(running.stop())
        let written = try String(contentsOfFile: folder + "/after", encoding: .utf8)
        #expect(written == last + "\n" || written == last)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/after")
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        let problem = ArchiveSeal.problem(with: Array(written.utf8))
        #expect(problem == nil, "\(problem ?? "")")
    }

    @Test func `a server does not begin with a bad archive`() throws {
        let origin = try seeded()
        let path = origin.running.folder.path + "/bad"
        try Data(try archive(origin).dropLast(100).utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: MockServerError.self) {
            _ = try Running { $0.importFile = path }
        }
        #expect(error?.reason.contains("the archive's line") == true)
    }
}
