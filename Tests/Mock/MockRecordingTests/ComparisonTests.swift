import CloudModel
import HTTPClient
import JSON
import MockHost
import MockRecording
import MockRules
import Testing

/// Recordings held against another server.
@Suite(.timeLimit(.minutes(10)))
struct ComparisonTests {
    /// A session that writes and reads, and whose requests have what earlier answers brought.
    private func session(_ client: Stage.Client) async throws {
        let zone = #"{"zoneName":"Trip"}"#
        _ = try await client.ask(
            "zones/modify",
            "{\"operations\":[{\"operationType\":\"create\",\"zone\":{\"zoneID\":\(zone)}}]}")
        func modify(_ operation: String, _ rest: String) async throws -> String {
            try await client.ask(
                "records/modify",
                "{\"zoneID\":\(zone),\"operations\":[{\"operationType\":\"\(operation)\",\"record\":"
                    + "{\"recordName\":\"r\",\"recordType\":\"Note\"\(rest)}}]}")
        }
        let created = try await modify("create", "")
        let tag = try #require(created.firstMatch(of: #/"recordChangeTag":"([^"]+)"/#)?.1)
        _ = try await modify("update", ",\"recordChangeTag\":\"\(tag)\"")
        // The same tag once more is too old.
        _ = try await modify("update", ",\"recordChangeTag\":\"\(tag)\"")
        let feed = try await client.ask("changes/zone", "{\"zones\":[{\"zoneID\":\(zone)}]}")
        let token = try #require(feed.firstMatch(of: #/"syncToken":"([^"]+)"/#)?.1)
        _ = try await client.ask(
            "changes/zone", "{\"zones\":[{\"zoneID\":\(zone),\"syncToken\":\"\(token)\"}]}")
        var bob = client
        bob.user = "BOB"
        _ = try await bob.ask("users/current")
    }

    private func record(_ stage: Stage) async throws {
        let own = try #require(Container.ID(Stage.container))
        _ = try await stage.withService { service in
            try await stage.record(service, to: "a", { $0.writes = .init(writable: [own]) }) {
                server, proxy in
                try await session(.init(server: server, variables: proxy.variables))
            }
        }
    }

    private func compare(
        _ stage: Stage, _ change: (inout MockServerConfiguration) -> Void = { _ in },
        users: [String] = ["ann", "bob"]
    ) async throws -> (RecordingComparison.Summary, [RecordingComparison.Finding]) {
        try await stage.withService(change) { service in
            let client = HTTPClient(configuration: .init(trust: .file(service.caFile)))
            defer { client.shutdown() }
            let file = try RecordingFile(stage.path("a"), .init(workingFolder: stage.path("")))
            var comparison = RecordingComparison(
                file,
                with: .init(
                    url: service.url, apiToken: service.apiToken,
                    webTokens: users.compactMap { service.webTokens[$0] }), over: client)
            var findings: [RecordingComparison.Finding] = []
            let summary = try await comparison.run { findings.append($0) }
            return (summary, findings)
        }
    }

    @Test func `a server that behaves alike agrees, though tags, tokens and names are others`()
        async throws
    {
        let stage = try Stage()
        try await record(stage)
        let (summary, findings) = try await compare(stage)
        #expect(findings.map { "\($0.request): \($0.difference)" } == [])
        #expect(summary.compared == 7 && summary.differing == 0 && summary.skipped.isEmpty)
    }

    @Test func `a server that behaves otherwise is told so, by the rules that it breaks`()
        async throws
    {
        let stage = try Stage()
        try await record(stage)
        let (summary, findings) = try await compare(stage) {
            $0.options.emptyPages = 1
        }
        #expect(summary.differing > 0)
        let more = try #require(findings.first { $0.difference.path.hasSuffix("moreComing") })
        #expect(more.request == "POST changes/zone")
        #expect(more.rules.map(\.name) == ["67", "empty-pages"])
    }

    @Test func `two names may not become one, and who is missing is left out`() async throws {
        let stage = try Stage()
        try await record(stage)
        let (_, same) = try await compare(stage, users: ["ann", "ann"])
        #expect(same.contains { $0.difference.path == "userRecordName" })
        let (summary, findings) = try await compare(stage, users: ["ann"])
        #expect(findings.isEmpty && summary.skipped.map(\.number) == [7])
    }

    @Test func `each rule that a clue names is in the ledger`() {
        let names = Set(RuleBook.own.rules.map(\.name))
        for clue in RuleClue.all {
            #expect(!clue.rules.isEmpty && clue.rules.allSatisfy(names.contains), "\(clue)")
        }
    }

    @Test func `differences have paths, and the values on both sides`() throws {
        func find(_ left: String, _ right: String) throws -> [String] {
            JSONDifference.find(
                try JSONDocument.parse(Array(left.utf8)).root,
                try JSONDocument.parse(Array(right.utf8)).root, most: 3
            ) { JSONDifference.areEqual($1, $2) }.map(\.description)
        }
        #expect(try find(#"{"a":[1,{"b":null}]}"#, #"{"a":[1,{"b":null}]}"#) == [])
        #expect(
            try find(#"{"a":[1,{"b":"x"}],"c":1}"#, #"{"a":[1,{"b":"y"},2],"d":{}}"#) == [
                #"a[1].b is "y", recorded was "x""#, "a[2] is 2, recorded was none",
                "c is missing, recorded was 1",
            ])
        #expect(try find("[]", "{}") == ["the body is an object, recorded was an array of 0"])
        #expect(try find("1", "1.0").count == 1)
    }
}
