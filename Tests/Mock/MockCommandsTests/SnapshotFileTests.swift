import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// Archives from and into a running mock server, by its verbs.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotFileTests {
    /// What a verb wrote.
    private struct Done {
        let code: Int32
        let output: String
        let errors: String
    }

    private func run(_ words: String..., at server: TestWorld) async throws -> Done {
        let client = try TestWorld()
        let code = await Dispatcher.run(
            words + ["--state", "\(server.folder)/state"], in: client.environment()
        ).code
        return Done(code: code, output: client.output.text, errors: client.errors.text)
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test func `what was exported is imported, and a server begins and ends with it`() async throws
    {
        let world = try TestWorld()
        let file = "\(world.folder)/state.jsonl"
        let container = "iCloud.com.example.notes"
        try await MockStart.run(in: world, ["--user", "cem", "--container", container]) {
            let seeded = try await run(
                "seed", "--profile", "tiny", "--user", "cem", "--container", container,
                at: world)
            try #require(seeded.code == 0, "\(seeded.errors)")
            let exported = try await run("snapshot", "save", "--to", file, at: world)
            #expect(exported.code == 0, "\(exported.errors)")
            #expect(exported.output.contains("saved "))
            let first = try bytes(file)
            #expect(try await run("seed", "--reset", at: world).code == 0)
            #expect(try await run("snapshot", "save", "--to", file, at: world).code == 0)
            let emptied = try bytes(file)
            #expect(emptied != first)
            try first.write(to: URL(fileURLWithPath: file))
            let imported = try await run("snapshot", "restore", "--from", file, at: world)
            #expect(imported.code == 0, "\(imported.errors)")
            #expect(imported.output.contains("restored 1 user,"))
            #expect(try await run("snapshot", "save", "--to", file + ".2", at: world).code == 0)
            #expect(try bytes(file + ".2") == first)
        }
        let first = try bytes(file)
        let other = try TestWorld()
        let code = try await MockStart.run(
            in: other, ["--restore", file, "--save-on-exit", file + ".3"]
        ) {
            let status = try await run("status", at: other)
            #expect(status.output.contains("cem") && !status.output.contains("ann"))
        }
        #expect(code == 0)
        // Only the second line, with the switches, may be of another server.
        func lines(_ data: Data) -> [String] {
            var lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(
                String.init)
            lines.remove(at: 1)
            return lines.dropLast()
        }
        #expect(try lines(bytes(file + ".3")) == lines(first))
    }

    @Test func `a bad archive and a bad place are told, and nothing is lost`() async throws {
        let world = try TestWorld()
        let file = "\(world.folder)/state.jsonl"
        try await MockStart.run(in: world) {
            #expect(try await run("snapshot", "save", "--to", file, at: world).code == 0)
            let whole = try bytes(file)
            try whole.dropLast(70).write(to: URL(fileURLWithPath: file))
            let refused = try await run("snapshot", "restore", "--from", file, at: world)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("the archive's line"), "\(refused.errors)")
            let missing = try await run(
                "snapshot", "restore", "--from", file + ".missing", at: world)
            #expect(missing.code == 2)
            let nowhere = try await run(
                "snapshot", "save", "--to", "\(world.folder)/no/such/place", at: world)
            #expect(nowhere.code != 0)
            #expect(try await run("snapshot", "save", "--to", file, at: world).code == 0)
            #expect(try bytes(file) == whole)
        }
        let other = try TestWorld()
        let code = await other.run([
            "serve", "--state", "state", "--store", "data", "--restore", file,
        ])
        #expect(code == 2)
        #expect(other.errors.text.contains("--restore needs a store in memory"))
    }
}
