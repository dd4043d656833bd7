import Commands
import Foundation
import Testing

/// The way back from a pseudonym to a name, and its end.
@Suite(.timeLimit(.minutes(30)))
struct WhoisVerbTests {
    private func whois(
        _ pseudonym: String, _ scene: SweepScene
    ) async throws -> (code: Int32, output: String, errors: String) {
        try await scene.cksweep("whois", pseudonym)
    }

    @Test func `the operator finds people and zones behind pseudonyms until the run was forgotten`()
        async throws
    {
        try await SyncScene.run { sync in
            let person = try await sync.withDatabase { database in
                guard case .user(let person) = try await database.perform(.read(.caller)) else {
                    return ""
                }
                return person.userRecordName
            }
            let scene = sync.scene
            #expect(try await whois(String(repeating: "0", count: 32), scene).code == 2)
            #expect(try await scene.cksweep("plan", "--json-into", "plan.jsonl").code == 0)
            let swept = try await scene.cksweep(
                "sweep", "--approve", try scene.digest("plan.jsonl"), "--verify-pause", "1ms",
                "--json-into", "sweep.jsonl")
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
            let report = try #require(
                try scene.events("sweep.jsonl").last { $0["event"] as? String == "report" })
            let run = try #require(report["run"] as? String)
            let containers = try #require(report["containers"] as? [[String: Any]])
            let shown = try #require(containers[0]["userForOthers"] as? String)
            let own = try #require(containers[0]["user"] as? String)
            #expect(shown != own)
            for pseudonym in [shown, own] {
                let found = try await whois(pseudonym, scene)
                #expect(found.code == 0 && found.output.contains(person), "\(found.errors)")
                #expect(found.output.contains("user") && found.output.contains(run))
            }
            let evidence = try #require(report["evidence"] as? String)
            let events = try String(
                contentsOfFile: evidence.dropLast(5) + ".events.jsonl", encoding: .utf8)
            // Containers are swept side by side, so any of their zones can be the first.
            let zones = Set(
                events.matches(of: #/"zones":\["([0-9a-f]{32})"/#).map { String($0.1) })
            var names = ""
            for zone in zones {
                let found = try await whois(zone, scene)
                #expect(found.code == 0 && found.output.contains("zone"), "\(found.errors)")
                names += found.output
            }
            #expect(names.contains("Notes") || names.contains("Ideas"), "\(names)")
            let zone = try #require(zones.first)
            // Nobody's, and no pseudonym at all.
            let nobody = try await whois(String(repeating: "a", count: 32), scene)
            #expect(nobody.code == 2 && nobody.errors.contains("another state folder"))
            #expect(try await whois("Notes", scene).code == 2)

            #expect(try await scene.cksweep("forget", "last").code == 0)
            let gone = try await whois(shown, scene)
            #expect(gone.code == 11 && gone.errors.contains("was forgotten"), "\(gone.errors)")
            // The folder's own pseudonym leads to no run any more.
            let untied = try await whois(own, scene)
            #expect(untied.code == 2, "\(untied.output)")
            #expect(try await whois(zone, scene).code == 2)
        }
    }
}
