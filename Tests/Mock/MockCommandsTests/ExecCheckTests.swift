import CommandLine
import CommandWorld
import Foundation
import HTTPClient
import JSON
import MockCommands
import Testing

/// What `--check` says of programs: nothing of this one, and how others break the service's contract.
@Suite(.timeLimit(.minutes(30))) struct ExecCheckTests {
    /// Sends requests to a mock server, as a program would.
    private struct Program {
        let variables: [String: String]

        func send(_ paths: String...) async throws {
            let client = HTTPClient(
                configuration: HTTPClientConfiguration(
                    trust: .file(variables["CLOUDKIT_EMULATOR_CA"] ?? "")))
            defer { client.shutdown() }
            for path in paths {
                let url = (variables["CLOUDKIT_EMULATOR_URL"] ?? "") + path
                _ = try await client.send(HTTPClientRequest(.post, url, body: []))
            }
        }
    }

    /// What `cloudkit-mock exec --check` says of a program.
    private func exec(
        _ options: [String] = [],
        _ body: @escaping @Sendable (Program) async throws -> Int32
    ) async throws -> (code: Int32, errors: String, world: TestWorld) {
        let world = try TestWorld()
        let processes = PretendedProcesses { _, variables in
            do {
                return try await body(Program(variables: variables))
            } catch {
                Issue.record(error)
                return 99
            }
        }
        let code = await Dispatcher.run(
            ["exec", "--check", "--any-container"] + options + ["--", "make"],
            in: world.environment(processes: processes)
        ).code
        return (code, world.errors.text, world)
    }

    private static let wrong = "/database/1/iCloud.com.example.notes/development/private/zones/lst"

    @Test func `a program that ends well and breaks the contract ends with 7, and is told how`()
        async throws
    {
        let done = try await exec(["--auto-namespaces", "--keep-on-fail", "kept"]) { program in
            try await program.send(Self.wrong, Self.wrong, "/~side" + Self.wrong)
            return 0
        }
        #expect(done.code == 7)
        #expect(
            done.errors.contains(
                "unknown-endpoint: Request 1 requested \(Self.wrong); nearest: zones/list. Seen 2 times."
            ), "\(done.errors)")
        #expect(done.errors.contains("unknown-endpoint (side): Request 1 requested"))
        #expect(done.errors.contains("2 findings. To repeat it, with the server's seed 0"))
        #expect(try done.world.text(at: "kept/findings.json").contains("unknown-endpoint"))
    }

    @Test func `findings of a program that fails are reported with its own status`()
        async throws
    {
        let failed = try await exec { program in
            try await program.send(Self.wrong)
            return 3
        }
        #expect(failed.code == 3 && failed.errors.contains("unknown-endpoint"), "\(failed.errors)")
        #expect(failed.errors.contains("make ended with 3"))
        let right = try await exec { program in
            try await program.send("/_mock/v1/nothing")
            return 0
        }
        #expect(right.code == 0 && right.errors.contains("No findings"), "\(right.errors)")
        let world = try TestWorld()
        let processes = PretendedProcesses { _, variables in
            do {
                try await Program(variables: variables).send(Self.wrong)
                return 0
            } catch {
                return 99
            }
        }
        #expect(
            await Dispatcher.run(
                ["exec", "--any-container", "--", "make"],
                in: world.environment(processes: processes)
            ).code == 0)
    }
}
