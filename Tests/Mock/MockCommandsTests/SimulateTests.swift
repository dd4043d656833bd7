import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// `cloudkit-mock simulate`, every event of it on a running server.
@Suite(.timeLimit(.minutes(10)))
struct SimulateTests {
    private static let container = "iCloud.com.example.notes"

    /// A running server with two users' zones, and somebody who causes it there.
    private struct Scene {
        let server: TestWorld
        let client: TestWorld

        /// What the command wrote, and its status.
        func event(_ line: String) async -> (code: Int32, output: String, errors: String) {
            let sink = MemorySink()
            let errors = MemorySink()
            var environment = client.environment()
            environment.output = sink
            environment.errors = errors
            let words = line.split(separator: " ").map { String($0) }
            let state = ["--state", "\(server.folder)/state"]
            let outcome = await Dispatcher.run(["simulate"] + words + state, in: environment)
            return (outcome.code, sink.text, errors.text)
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        let scene = Scene(server: try TestWorld(), client: try TestWorld())
        let seed = [
            "seed", "--profile", "notes", "--user", "ada", "--user", "bob", "--zones", "2",
            "--records", "3", "--seed", "4", "--container", Self.container, "--state",
            "\(scene.server.folder)/state",
        ]
        let code = try await MockStart.run(in: scene.server) {
            #expect(await scene.client.run(seed) == 0)
            try await body(scene)
        }
        #expect(code == 0)
    }

    @Test func `every event is carried out by a running server, and says what it changed`()
        async throws
    {
        try await withScene { scene in
            let here = "--container \(Self.container)"
            let lines: [(String, String)] = [
                ("share --user ada --with bob --zone Notes \(here)", "bob can read Notes of ada"),
                (
                    "leave-share --user bob --with ada --zone Notes \(here)",
                    "Notes of ada is no longer shared with bob"
                ),
                ("share --user ada --with bob --zone Notes \(here)", "bob can read Notes of ada"),
                (
                    "revoke-share --user ada --zone Notes \(here)",
                    "Notes of ada is no longer shared with bob"
                ),
                ("expire-tokens --user ada", "tokens expired in 1 database"),
                ("compact --user bob --zone Notes", "deletions compacted in 1 database"),
                ("recreate-zone --user ada --zone Notes \(here)", "Notes exists again, empty"),
                ("purge --user ada --zone Notes \(here)", "erased: 1 zone"),
                ("reset-encrypted-data --user bob \(here)", "lost: 2 zones"),
                ("purge --user ada \(here)", "erased: 1 zone"),
                ("restrict --user ada \(here)", "\(Self.container) is closed to ada's apps"),
                ("unrestrict --user ada \(here)", "\(Self.container) is open to ada's apps"),
                ("fill-quota --user ada", "ada's iCloud storage is full"),
                ("free-quota --user ada", "ada's iCloud storage has space again"),
                ("fill-quota \(here)", "the storage of \(Self.container) is full"),
                ("change-terms --user ada", "ada has to accept changed terms"),
                ("accept-terms --user ada", "ada has accepted the terms"),
                ("expire-web-tokens --user ada", "web tokens of ada have expired on every device"),
                (
                    "rotate-web-tokens --user ada --device phone",
                    "web tokens of ada have expired on phone"
                ),
                ("sign-out --user ada --device phone", "ada is signed out on phone"),
                ("sign-out --user bob", "bob is signed out on every device"),
                ("sign-in --user ada --device phone", "ada is signed in on phone"),
                (
                    "switch-account --user ada --with bob --device phone",
                    "bob is signed in on phone instead of ada"
                ),
            ]
            let state = ["--state", "\(scene.server.folder)/state"]
            #expect(await scene.client.run(["snapshot", "save", "start"] + state) == 0)
            for (line, message) in lines {
                let done = await scene.event(line)
                #expect(done.code == 0, "\(line): \(done.errors)")
                #expect(done.output.hasPrefix(message + "\n"), "\(line): \(done.output)")
            }
            #expect(Set(lines.map { $0.0.prefix { $0 != " " } }).count == 19)
            #expect(await scene.client.run(["snapshot", "restore", "start"] + state) == 0)
            let again = await scene.event("purge --user ada \(here) --json")
            let line = Data(again.output.split(separator: "\n")[0].utf8)
            let event = try #require(
                try JSONSerialization.jsonObject(with: line) as? [String: Any])
            #expect(event["event"] as? String == "simulated")
            #expect(event["simulated"] as? String == "purge")
            #expect(event["changed"] as? Int == 2)
            #expect(event["zones"] as? [String] == ["Ideas & drafts (2024)", "Notes"])
        }
    }

    @Test func `what cannot happen is refused, and changes nothing`() async throws {
        try await withScene { scene in
            let here = "--container \(Self.container)"
            let lines: [(String, String)] = [
                ("purge --user ada --zone Zone-9 \(here)", "there is no such zone"),
                ("purge --user eve \(here)", "there is no user \"eve\""),
                ("share --user ada --with ada --zone Notes \(here)", "both users are the same"),
                ("revoke-share --user ada --zone Notes \(here)", "not shared"),
                ("leave-share --user bob --with ada --zone Notes \(here)", "not shared"),
                ("recreate-zone --user ada --zone _x \(here)", "a zone cannot have that name"),
                ("expire-tokens --zone Zone-9", "there is no such zone"),
                ("sign-out --user ada --device a/b", "a device's name has"),
            ]
            for (line, part) in lines {
                let done = await scene.event(line)
                #expect(done.code == 2 && done.output.isEmpty, "\(line): \(done.output)")
                #expect(done.errors.contains(part), "\(line): \(done.errors)")
            }
            #expect(await scene.event("purge --user ada \(here)").output.contains("2 zones"))
        }
    }

    @Test(arguments: [
        ("--user ada", "--user needs EVENT"),
        ("snapshot --name start", "EVENT is \"snapshot\"; expected one of"),
        (
            "deliver-pushes --user ada",
            "--user is not valid with \"cloudkit-mock simulate deliver-pushes\""
        ),
        ("push", "there is no event \"push\"; use deliver-pushes"),
        ("purg", "did you mean \"purge\"?"),
        ("signout --user ada", "did you mean \"sign-out\"?"),
        (
            "purge --container iCloud.com.example.notes",
            "\"cloudkit-mock simulate purge\" needs --user"
        ),
        ("purge --user ada", "\"cloudkit-mock simulate purge\" needs --container"),
        (
            "purge --user ada --container iCloud.com.example.notes --device phone",
            "--device is not valid with \"cloudkit-mock simulate purge\""
        ),
        (
            "sign-out --user ada --zone Notes",
            "--zone is not valid with \"cloudkit-mock simulate sign-out\""
        ),
        ("restrict --user ada --container notes", "must begin with \"iCloud.\""),
        ("compact --database public", "private, shared"),
        ("deliver-pushes --count 0", "--count"),
        ("sign-out --user ada --count 2", "--count is not valid with"),
        ("empty-pages --user ada", "use a fault such as \"changes/* 2 times -> empty page\""),
        ("use-replica --user ada", "by device phone -> stale 30s"),
        ("leave-replica --user ada", "remove the \"stale\" fault"),
        ("fill-quota", "fill-quota needs either user or container"),
        (
            "free-quota --user ada --environment production",
            "takes an environment only with a container"
        ),
        ("sign-out --usr ada", "did you mean --user?"),
        ("sign-in --user ada now", "now"),
    ])
    func `what is typed wrong is refused before anybody is asked`(
        line: String, part: String
    ) async throws {
        let world = try TestWorld()
        let words = ["simulate"] + line.split(separator: " ").map { String($0) }
        #expect(await Dispatcher.run(words, in: world.environment()).code == 2)
        #expect(world.errors.text.contains(part), "\(world.errors.text)")
    }
}
