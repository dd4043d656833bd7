import Foundation
import InProcessMock
import JSON
import MockHost
import MockStore
import RepositoryRoot
import Testing
import ToolRunner

/// Snapshot files over the wire, by curl.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotFileServerTests {
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

    private func save(_ world: World) throws -> SnapshotBytes {
        let path = world.running.folder.path + "/saved-\(UUID().uuidString)"
        let answer = try world.curl(["-o", path, world.url + "/_mock/v1/export"])
        try #require(answer.status == 200, "\(answer.text)")
        return SnapshotBytes([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    private func restore(
        _ file: SnapshotBytes, _ world: World
    ) throws -> (status: Int, text: String) {
        let path = world.running.folder.path + "/sent-\(UUID().uuidString)"
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        return try world.curl([
            "--data-binary", "@\(path)", "-H", "content-type: application/octet-stream",
            world.url + "/_mock/v1/import",
        ])
    }

    @Test func `a file goes into another server and into a namespace with all it has`() throws {
        let origin = try seeded()
        _ = try origin.admin("PUT", "options", #"{"emptyPages":2}"#)
        _ = try origin.admin("PUT", "clock", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
        let file = try save(origin)
        #expect(try save(origin) == file)
        let other = home(try Running())
        let made = try other.admin("POST", "namespaces", #"{"name":"one"}"#)
        try #require(made.status == 200)
        let one = World(
            running: other.running, url: "https://one.localhost:\(other.running.ready.port)",
            apiToken: "", webTokens: [:])
        for world in [other, one] {
            #expect(try save(world).data() != file.data())
            let answer = try restore(file, world)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try save(world).data() == file.data())
            #expect(try world.admin("GET", "options").text.contains(#""emptyPages":2"#))
            #expect(try world.admin("GET", "clock").text.contains("2031-05-06T07:08:09"))
        }
        // The data, as the service shows them.
        for path in ["dump?user=ann", "dump?user=bob", "dump", "summary", "users"] {
            #expect(try other.admin("GET", path).text == origin.admin("GET", path).text)
        }
    }

    @Test func `the files of assets are there after a restore`() throws {
        let origin = try seeded()
        let other = home(try Running())
        #expect(try restore(try save(origin), other).status == 200)
        let parts = "SELECT digest, part, bytes FROM asset_parts ORDER BY digest, part"
        let files = try save(origin).rows(of: parts)
        #expect(!files.isEmpty)
        #expect(try save(other).rows(of: parts) == files)
        let records = try other.admin("GET", "dump?user=ann").text
        #expect(records.contains("fileChecksum"))
    }

    @Test func `a bad file is an error, and nothing changes`() throws {
        let world = try seeded()
        let before = try save(world)
        _ = try world.admin("PUT", "options", #"{"emptyPages":1}"#)
        let changed = try save(world)
        let edited = try restore(try before.edited("DELETE FROM zones"), world)
        #expect(edited.status == 400)
        #expect(edited.text.contains("do not match their digest"), "\(edited.text)")
        let misspelled = try restore(
            try before.edited("UPDATE seal SET settings = replace(settings, 'Pages', 'Page')"),
            world)
        #expect(misspelled.status == 400)
        #expect(misspelled.text.contains("did you mean \\\"emptyPages\\\"?"), "\(misspelled.text)")
        #expect(try restore(SnapshotBytes([]), world).status == 400)
        #expect(try restore(SnapshotBytes(before.bytes.dropLast(5000)), world).status == 400)
        #expect(try save(world) == changed)
        let foreign = try world.curl([
            "-d", "{}", "-H", "origin: https://example.com", world.url + "/_mock/v1/import",
        ])
        #expect(foreign.status == 403)
        #expect(try save(world) == changed)
        #expect(try restore(before, world).status == 200)
        #expect(try save(world).data() == before.data())
        #expect(try world.admin("GET", "options").text.contains(#""emptyPages":0"#))
    }

    @Test func `a server begins with a file and saves one at its end`() throws {
        let origin = try seeded()
        let folder = origin.running.folder.path
        let state = URL(fileURLWithPath: folder + "/state")
        try Data(save(origin).bytes).write(to: state)
        let running = try Running {
            $0.restoredFile = folder + "/state"
            $0.savedFile = folder + "/after"
            $0.users = []
            try? $0.set("emptyPages=3")
        }
        #expect(Set(running.ready.webTokens.keys) == ["ann", "bob"])
        let world = home(running)
        #expect(try world.admin("GET", "options").text.contains(#""emptyPages":3"#))
        #expect(try world.make(zone: "New").status == 200)
        let last = try save(world)
        #expect(!FileManager.default.fileExists(atPath: folder + "/after"))
        #expect(running.stop())
        let written = try Data(contentsOf: URL(fileURLWithPath: folder + "/after"))
        #expect([UInt8](written) == last.bytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/after")
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }

    @Test func `a server does not begin with a bad file`() throws {
        let origin = try seeded()
        let path = origin.running.folder.path + "/bad"
        let file = try save(origin).edited("DELETE FROM users")
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: MockServerError.self) {
            _ = try Running { $0.restoredFile = path }
        }
        #expect(error?.reason.contains("do not match their digest") == true)
        let missing = #expect(throws: MockServerError.self) {
            _ = try Running { $0.restoredFile = path + ".missing" }
        }
        #expect(missing?.reason.contains("bad.missing") == true, "\(missing?.reason ?? "")")
    }
}
