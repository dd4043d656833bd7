import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// The doctor: everything that is missing, at once.
@Suite(.timeLimit(.minutes(10)))
struct DoctorVerbTests {
    @Test func `what can be asked is asked, and all that is missing is told at once`() async throws
    {
        let lacks = { (list: String) in
            // The second container has no tokens, and the third no record types.
            list.replacing(
                #/("[^"]*documents", "recordTypes": \[[^\]]*\])/#,
                with: { "\($0.output.1), \"credentials\": { \"apiToken\": \"env:OTHER\" }" }
            ).replacing(#/settings", "recordTypes": \[[^\]]*\]/#, with: "settings\"")
        }
        try await SweepScene.run(list: lacks) { scene in
            let found = try await scene.cksweep("doctor", "--json-into", "doctor.jsonl")
            #expect(found.code == 2, "\(found.output)\(found.errors)")
            let text = found.output
            for part in [
                "Containers/app.json", "signed in as Ann; 3 zones",
                "\"apiToken\" needs the variable OTHER, which is not set",
                "no \"webAuthToken\" for iCloud.com.example.myexampleapp.documents",
                "the record types of iCloud.com.example.myexampleapp.settings are",
                "cannot reach exit 0, because:", "Not ready: 3 problems prevent exit 0.",
            ] {
                #expect(text.replacing(#/\n +/#, with: " ").contains(part), "\(part): \(text)")
            }
            let obstacles = try scene.events("doctor.jsonl").filter {
                $0["event"] as? String == "obstacle"
            }
            #expect(obstacles.count == 3 && obstacles.allSatisfy { $0["line"] is Int })
            // The check of the list says the same.
            try scene.world.put(
                "<plist version=\"1.0\"><dict/></plist>", at: "App/Info.plist")
            let checked = try await scene.cksweepCheck(variables: [:])
            let block = try #require(text.firstMatch(of: #/cannot reach[^$]*?\nNot/#)).output
                .dropLast(3)
            #expect(checked.contains(block), "\(checked)\n\(block)")
            // With -q it says no more than what is in the way.
            let quiet = try await scene.cksweep("doctor", "-q")
            #expect(quiet.output.hasPrefix("cannot reach exit 0"), "\(quiet.output)")
        }
    }

    @Test func `a server that does not answer is told once, and no container is asked`()
        async throws
    {
        let world = try TestWorld()
        try world.put(
            """
            { "version": 1, "environment": "development", "server": { "url": "https://localhost:1" },
              "containers": [ { "identifier": "iCloud.com.example.a", "recordTypes": [] },
                              { "identifier": "iCloud.com.example.b", "recordTypes": [] } ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """, at: "Containers/app.json")
        #expect(await world.run("doctor", variables: ["API": "a", "WEB": "w"]) == 4)
        #expect(
            world.output.text.split(separator: "no connection to localhost").count == 2,
            "\(world.output.text)")
        #expect(world.output.text.contains("Not ready: 1 problem prevents exit 0.\n"))
    }

    @Test func `a state folder that could be put in place of another is no good`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan", "--rehearsal").code == 0)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777], ofItemAtPath: "\(scene.world.folder)/runs")
            let found = try await scene.cksweep("doctor", "--rehearsal")
            #expect(found.code == 2, "\(found.output)\(found.errors)")
            #expect(found.output.contains("every user can write to the folder above it"))
            // Nor does a plan begin there.
            #expect(try await scene.cksweep("plan", "--rehearsal").code == 2)
        }
    }
}

extension SweepScene {
    /// What `containers check` says, which keeps its state nowhere.
    fileprivate func cksweepCheck(variables more: [String: String]) async throws -> String {
        let output = MemorySink()
        var environment = world.environment(variables: variables.merging(more) { $1 })
        environment.output = output
        _ = await Dispatcher.run(["containers", "check", "--from", "App"], in: environment)
        return unmarked(output.text)
    }
}
