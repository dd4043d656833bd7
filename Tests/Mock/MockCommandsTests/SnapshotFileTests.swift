import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// Snapshot files from and into a running mock server, by its verbs.
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

    @Test func `what was saved is restored, and a server begins and ends with it`() async throws {
        let world = try TestWorld()
        let file = "\(world.folder)/state.snapshot"
        let container = "iCloud.com.example.notes"
        var first = ""
        try await MockStart.run(in: world, ["--user", "cem", "--container", container]) {
            let seeded = try await run(
                "seed", "--profile", "tiny", "--user", "cem", "--container", container,
                at: world)
            try #require(seeded.code == 0, "\(seeded.errors)")
            let saved = try await run("snapshot", "save", "--to", file, at: world)
            #expect(saved.code == 0, "\(saved.errors)")
            #expect(saved.output.contains("saved ") && saved.output.contains(" bytes to "))
            first = try await run("dump", at: world).output
            #expect(try await run("seed", "--reset", at: world).code == 0)
            #expect(try await run("dump", at: world).output != first)
            let restored = try await run("snapshot", "restore", "--from", file, at: world)
            #expect(restored.code == 0, "\(restored.errors)")
            #expect(restored.output.contains("restored 1 user,"))
            #expect(try await run("dump", at: world).output == first)
        }
        let other = try TestWorld()
        let code = try await MockStart.run(
            in: other, ["--restore", file, "--save-on-exit", file + ".2"]
        ) {
            let status = try await run("status", at: other)
            #expect(status.output.contains("cem") && !status.output.contains("ann"))
            #expect(try await run("dump", at: other).output == first)
        }
        #expect(code == 0)
        let third = try TestWorld()
        try await MockStart.run(in: third, ["--restore", file + ".2"]) {
            let dump = try await run("dump", at: third)
            #expect(dump.output == first, "\(dump.errors)")
        }
    }

    @Test func `dump prints the public databases and what every user has`() async throws {
        let world = try TestWorld()
        let container = "iCloud.com.example.notes"
        try await MockStart.run(in: world, ["--user", "cem", "--user", "dan"]) {
            for user in ["cem", "dan"] {
                let seeded = try await run(
                    "seed", "--profile", "tiny", "--user", user, "--container", container,
                    at: world)
                try #require(seeded.code == 0, "\(seeded.errors)")
            }
            let all = try await run("dump", at: world).output
            for user in ["cem", "dan"] {
                let own = try await run("dump", "--user", user, at: world).output
                #expect(own.contains("\"\(user)\"") && own.count < all.count)
                #expect(all.contains(own))
            }
        }
    }

    @Test func `a bad file and a bad place are errors, and nothing is lost`() async throws {
        let world = try TestWorld()
        let file = "\(world.folder)/state.snapshot"
        try await MockStart.run(in: world) {
            #expect(try await run("snapshot", "save", "--to", file, at: world).code == 0)
            let whole = try bytes(file)
            try whole.dropLast(5000).write(to: URL(fileURLWithPath: file))
            let refused = try await run("snapshot", "restore", "--from", file, at: world)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("the snapshot file is damaged"), "\(refused.errors)")
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
