import CommandLine
import CommandWorld
import Glibc
import Testing

/// What a person reads about a file that the server does not take.
@Suite(.timeLimit(.minutes(10)))
struct FixtureErrorTests {
    @Test(arguments: [
        ("{\"version\":1", "line 1, column 13"), ("{\"version\":1,\"userz\":[]}", "\"users\""),
        ("{\"version\":2}", "version"), ("[]", "object"),
        ("{\"version\":1,\"users\":[]}", "needs \"shows\""),
    ])
    func `an error in a fixture names its file`(fixture: String, says: String) async throws {
        let world = try TestWorld()
        try world.put(fixture, at: "odd.json")
        #expect(await world.run("serve", "--seed", "odd.json") != 0)
        #expect(world.errors.text.contains("odd.json: "), "\(world.errors.text)")
        #expect(world.errors.text.contains(says), "\(world.errors.text)")
        let server = try TestWorld()
        try await MockStart.run(in: server) {
            let seed = ["seed", "odd.json", "--state", "\(server.folder)/state"]
            #expect(await world.run(seed) != 0)
            let last = world.errors.text.split(separator: "\n").last ?? ""
            #expect(last.hasPrefix("cloudkit-mock: odd.json: ") && last.contains(says), "\(last)")
        }
    }

    /// A pipe is not waited for.
    @Test(arguments: ["pipe", "/dev/zero"])
    func `what is no file is refused at once`(path: String) async throws {
        let world = try TestWorld()
        #expect(mkfifo("\(world.folder)/pipe", 0o600) == 0)
        #expect(await world.run("seed", path) == 2)
        #expect(world.errors.text.contains("is not a file"), "\(world.errors.text)")
    }
}
