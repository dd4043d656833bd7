import Foundation
import JSON
import Testing

/// Several containers that share a volume with the state folder: none of them sees the processes of
/// the others, and process numbers are the same in each.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ContainerTests {
    /// One user with two containers of data, and a plan to delete it.
    private struct Case {
        let user: String
        let state: String
        let common: [String]
        let environment: [String: String]

        init(_ name: String, _ server: ServerProcess, _ folder: URL) async throws {
            user = name
            let home = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let list = home.appendingPathComponent("list.json")
            try ClientKillTests.list.write(to: list, atomically: true, encoding: .utf8)
            _ = try await server.admin(.post, "seed", ClientKillTests.seed([name]))
            state = home.appendingPathComponent("state").path
            common = ["-c", list.path, "--state", state, "-q", "--json", "--rehearsal"]
            environment = try server.environment(user: name)
        }

        /// Makes a plan and says how it is carried out.
        func apply(_ number: Int) throws -> [String] {
            let plan = state + "-plan\(number)"
            let planned = try Program.run(["plan", "-o", plan] + common, environment: environment)
            let digest = try #require(
                ClientKillTests.value("digest", in: planned.output), "\(planned.errors)")
            return ["apply", plan, "--approve", digest, "--verify-pause", "1ms"] + common
        }
    }

    @Test(
        .enabled(if: Housing.areContainersAllowed, Housing.whyNot), arguments: Housing.containers)
    func `S15 of two runs on one state folder, each in a container, one is refused`(
        housing: Housing
    ) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let server = try ServerProcess(folder: folder.url, users: ["ada"])
        defer { server.stop() }
        let ada = try await Case("ada", server, folder.url)
        let applies = [try ada.apply(1), try ada.apply(2)]
        // The first takes so long that the second comes in the middle of it.
        _ = try await server.admin(.post, "faults", #"["1st zones/modify -> delay 4s"]"#)
        let first = try Program.start(applies[0], environment: ada.environment, in: housing)
        let approved = try #require(try first.line(with: #""event":"approved""#))
        let run = try #require(ClientKillTests.value("run", in: approved))
        let second = try Program.run(applies[1], environment: ada.environment, in: housing)
        #expect(second.status == 9, "\(second.output)\(second.errors)")
        #expect(second.output.contains("another run holds the lock: run \(run) of process"))
        #expect(try first.wait() == 0)
    }

    @Test(
        .enabled(if: Housing.areContainersAllowed, Housing.whyNot), arguments: Housing.containers)
    func `S7 what was killed in a container is resumed in another, and its lock holds nobody up`(
        housing: Housing
    ) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let server = try ServerProcess(folder: folder.url, users: ["ada"])
        defer { server.stop() }
        let ada = try await Case("ada", server, folder.url)
        let apply = try ada.apply(1)
        _ = try await server.admin(.post, "faults", #"["1st zones/modify -> delay 30s"]"#)
        let first = try Program.start(apply, environment: ada.environment, in: housing)
        #expect(try first.line(with: #""event":"approved""#) != nil)
        try first.kill()
        _ = try await server.admin(.delete, "faults")
        let resumed = try Program.run(
            ["resume", "--verify-pause", "1ms"] + ada.common, environment: ada.environment,
            in: housing)
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
        let summary = try await server.admin(.get, "summary?user=ada")
        let left = summary.root["databases"]?.elements.reduce(0) { sum, database in
            sum
                + ["zones", "records", "subscriptions"].reduce(0) {
                    $0 + (database[$1]?.int64 ?? 0)
                }
        }
        #expect(left == 0)
    }
}
