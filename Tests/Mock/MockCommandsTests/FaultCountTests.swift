import CommandLine
import CommandWorld
import Foundation
import HTTPClient
import MockCommands
import Testing

/// What `cloudkit-mock exec` says of faults that did not fire.
@Suite(.timeLimit(.minutes(10)))
struct FaultCountTests {
    private static let saving = "3rd records/modify -> CONFLICT"

    private struct Tokens: Decodable {
        var apiToken: String
        var webToken: String
    }

    /// Runs a program that lists zones by the paths given and ends with a status.
    private func exec(
        _ options: [String], paths: [String] = [""], status: Int32 = 0,
        _ world: TestWorld
    ) async -> Int32 {
        let processes = PretendedProcesses { _, variables in
            func variable(_ name: String) -> String { variables["CLOUDKIT_EMULATOR_" + name] ?? "" }
            do {
                let client = HTTPClient(
                    configuration: HTTPClientConfiguration(trust: .file(variable("CA"))))
                defer { client.shutdown() }
                for path in paths {
                    let base = variable("URL") + path
                    let tokens = try await client.send(
                        HTTPClientRequest(
                            .post, base + "/_mock/v1/tokens",
                            headers: [("authorization", "Bearer " + variable("ADMIN_TOKEN"))],
                            body: Array(#"{"user":"ann"}"#.utf8)))
                    let facts = try JSONDecoder().decode(
                        Tokens.self, from: Data(tokens.body))
                    let web = facts.webToken.addingPercentEncoding(
                        withAllowedCharacters: .alphanumerics)
                    let url =
                        base + "/database/1/iCloud.a/development/private/zones/list"
                        + "?ckAPIToken=\(facts.apiToken)&ckWebAuthToken=\(web ?? "")"
                    _ = try await client.send(
                        HTTPClientRequest(.post, url, body: Array("{}".utf8)))
                }
                return status
            } catch {
                Issue.record(error)
                return 99
            }
        }
        return await Dispatcher.run(
            ["exec", "--any-container"] + options + ["--", "make"],
            in: world.environment(processes: processes)
        ).code
    }

    @Test func `a fault that did not fire is named, and the status stays`() async throws {
        let world = try TestWorld()
        let faults = ["--fault", "users/* -> THROTTLED", "--fault", Self.saving]
        #expect(await exec(faults, world) == 0)
        #expect(world.errors.text.contains("did not fire: users/* -> THROTTLED"))
        #expect(world.errors.text.contains("did not fire: \(Self.saving)"), "\(world.errors.text)")
    }

    @Test func `with --require-fired it ends with 6, and the run can be repeated`() async throws {
        let world = try TestWorld()
        #expect(await exec(["--require-fired", "--fault", Self.saving], world) == 6)
        let text = world.errors.text
        #expect(text.contains("did not fire") && text.contains("To repeat it"), "\(text)")
    }

    @Test func `a program that fails keeps its status`() async throws {
        let world = try TestWorld()
        let options = ["--require-fired", "--fault", Self.saving]
        #expect(await exec(options, status: 3, world) == 3)
        #expect(world.errors.text.contains("did not fire"))
    }

    @Test func `faults that fired are not named`() async throws {
        let world = try TestWorld()
        #expect(await exec(["--require-fired", "--fault", "zones/* -> delay 1ms"], world) == 0)
        #expect(!world.errors.text.contains("did not fire"), "\(world.errors.text)")
    }

    @Test func `a fault that fired in a namespace has fired`() async throws {
        let world = try TestWorld()
        let options = ["--require-fired", "--auto-namespaces", "--fault", "zones/* -> delay 1ms"]
        #expect(await exec(options, paths: ["/~side"], world) == 0)
        #expect(!world.errors.text.contains("did not fire"), "\(world.errors.text)")
    }

    @Test func `each file of a matrix is checked for itself`() async throws {
        let world = try TestWorld()
        try world.put("zones/* -> delay 1ms\n", at: "one.faults")
        try world.put(Self.saving + "\n", at: "two.faults")
        let options = ["--require-fired", "--matrix", "--faults", "one.faults", "two.faults"]
        #expect(await exec(options, world) == 6)
        #expect(world.errors.text.contains("did not fire: \(Self.saving) (two.faults)"))
        #expect(!world.errors.text.contains("(one.faults)"), "\(world.errors.text)")
    }

    @Test func `--require-fired without a fault is refused`() async throws {
        let world = try TestWorld()
        #expect(await exec(["--require-fired"], world) == 2)
        #expect(world.errors.text.contains("--require-fired needs --fault"))
    }
}
