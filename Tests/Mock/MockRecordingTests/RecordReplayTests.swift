import CloudModel
import Foundation
import HTTPClient
import MockRecording
import Testing

/// A session that is recorded against one server is served again with that server gone.
@Suite(.timeLimit(.minutes(10)))
struct RecordReplayTests {
    /// Asks for everything that could tell who somebody is.
    private func session(_ client: Stage.Client) async throws -> [String] {
        var answers = [
            try await client.ask("users/current"), try await client.ask("zones/list", "{}"),
            try await client.ask(
                "users/lookup/email", #"{"users":[{"emailAddress":"annabel@leeward.example"}]}"#),
            try await client.ask("users/discover", "{}"),
            try await client.ask("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#),
            try await client.ask("nothing/there", "{}"),
        ]
        let records = try await client.ask(
            "records/lookup",
            #"{"records":[{"recordName":"note-1"}],"zoneID":{"zoneName":"Notes"}}"#)
        let url = try #require(records.firstMatch(of: #/"downloadURL":"([^"]+)"/#)?.1)
        #expect(url.hasPrefix(client.server.url))
        let photo = try await client.curl(String(url).replacing("${f}", with: "photo.jpg"))
        #expect(photo.starts(with: Stage.photo))
        // Named by itself, the caller is found in answers before.
        let user = try #require(answers[0].firstMatch(of: #/"userRecordName":"([^"]+)"/#)?.1)
        answers.append(
            try await client.ask(
                "users/lookup/id", "{\"users\":[{\"userRecordName\":\"\(user)\"}]}"))
        var bob = client
        bob.user = "BOB"
        answers += [
            records, String(decoding: photo, as: UTF8.self), try await bob.ask("users/current"),
        ]
        answers.append(try await bob.ask("records/modify", #"{"operations":[]}"#))
        return answers
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `it replays byte for byte, and nothing of who somebody is stands in the file`(
        version: String
    ) async throws {
        let stage = try Stage()
        var recorded: [String] = []
        var port: UInt16 = 0
        var secrets: [String] = []
        var users: [String] = []
        let summary = try await stage.withService { service in
            // What there is to hide, from the service itself.
            let direct = HTTPClient(configuration: .init(trust: .file(service.caFile)))
            for user in ["ann", "bob"] {
                let answer = try await direct.send(
                    .init(
                        .get,
                        "\(service.url)/database/1/\(Stage.container)/development/private/users/current?ckAPIToken=\(service.apiToken)&ckWebAuthToken=\(service.webTokens[user] ?? "")"
                    ))
                let text = String(decoding: answer.body, as: UTF8.self)
                users.append(
                    String(try #require(text.firstMatch(of: #/"userRecordName":"([^"]+)"/#)?.1)))
            }
            secrets = [service.apiToken, String(service.port)] + Array(service.webTokens.values)
            return try await stage.record(service, to: "a.recording") { server, proxy in
                port = server.port
                recorded = try await session(
                    .init(server: server, variables: proxy.variables, version: version))
            }
        }
        #expect(summary.exchanges == 11 && summary.refusals == 2 && summary.lost == 0)
        let replayed = try await stage.replay("a.recording", port: port) { server, file in
            let answers = try await session(
                .init(server: server, variables: file.head.variables, version: version))
            #expect(answers == recorded)
        }
        #expect(replayed.misses == 0 && replayed.unasked.isEmpty && replayed.answered == 11)

        let file = try String(contentsOfFile: stage.path("a.recording"), encoding: .utf8)
        #expect(users.count == 2)
        secrets +=
            users + [
                "Annabel", "Leeward", "leeward.example", "annabel", "441632960001", "Robert",
                "Okafor",
            ]
        for secret in secrets { #expect(!file.contains(secret), "\(secret)") }
        // Web tokens of this server begin alike, and its users' names stand in them.
        let prefix = secrets[2].prefix(8)
        #expect(!file.contains(prefix) && !file.contains("616e6e2f"))
        for answer in recorded {
            for secret in secrets { #expect(!answer.contains(secret)) }
        }
    }

    @Test func `at another port, only the server's own address is another`() async throws {
        let stage = try Stage()
        var recorded: [String] = []
        var url = ""
        _ = try await stage.withService { service in
            try await stage.record(service, to: "a") { server, proxy in
                url = server.url
                recorded = try await session(.init(server: server, variables: proxy.variables))
            }
        }
        _ = try await stage.replay("a") { server, file in
            let answers = try await session(.init(server: server, variables: file.head.variables))
            #expect(answers == recorded.map { $0.replacing(url, with: server.url) })
        }
    }

    @Test func `writes are refused until their container is named`() async throws {
        let stage = try Stage()
        let told = Told()
        let create =
            #"{"operations":[{"operationType":"create","record":{"recordName":"new","recordType":"Note"}}]}"#
        func write(_ client: Stage.Client) async throws -> [String] {
            [
                try await client.ask("records/modify", create),
                try await client.ask("records/modify", create),
                try await client.ask("records/lookup", #"{"records":[{"recordName":"new"}]}"#),
                try await client.ask("users/restrict"),
            ]
        }
        try await stage.withService { service in
            let refused = try await stage.record(service, to: "a", { $0.warn = told.note }) {
                server, proxy in
                let answers = try await write(.init(server: server, variables: proxy.variables))
                for answer in [answers[0], answers[1], answers[3]] {
                    #expect(answer.contains("ACCESS_DENIED") && answer.contains("--allow-writes"))
                    #expect(answer.contains("\n403 "))
                }
                #expect(answers[2].contains("NOT_FOUND"))
            }
            #expect(refused.refusals == 3 && refused.exchanges == 4)
            #expect(told.all.count == 1 && told.all.first?.contains("--allow-writes") == true)
            let other = try #require(Container.ID("iCloud.com.example.other"))
            _ = try await stage.record(service, to: "b", { $0.writes = .init(writable: [other]) }) {
                server, proxy in
                let answer = try await write(.init(server: server, variables: proxy.variables))[0]
                #expect(answer.contains("ACCESS_DENIED"))
            }
            let own = try #require(Container.ID(Stage.container))
            _ = try await stage.record(service, to: "c", { $0.writes = .init(writable: [own]) }) {
                server, proxy in
                let client = Stage.Client(server: server, variables: proxy.variables)
                let answers = try await write(client)
                #expect(answers[0].contains(#""recordChangeTag""#))
                #expect(
                    answers[1].contains("serverErrorCode") && !answers[1].contains("ACCESS_DENIED"))
                #expect(answers[2].contains(#""recordChangeTag""#))
                #expect(answers[3].contains("\n200 "))
                let inProduction = try await client.curl(
                    client.url("records/modify").replacing("/development/", with: "/production/"),
                    create)
                #expect(String(decoding: inProduction, as: UTF8.self).contains("--production"))
            }
        }
        // Refusals are part of the session.
        let replayed = try await stage.replay("a") { server, file in
            let answer = try await write(.init(server: server, variables: file.head.variables))[1]
            #expect(answer.contains("--allow-writes"))
        }
        #expect(replayed.misses == 0 && replayed.unasked.isEmpty)
    }

    @Test func `an asset that is uploaded through the proxy is uploaded in the replay`()
        async throws
    {
        let stage = try Stage()
        let own = try #require(Container.ID(Stage.container))
        try Data(Stage.photo).write(to: URL(fileURLWithPath: stage.path("photo")))
        func upload(_ client: Stage.Client) async throws -> String {
            let asked = try await client.ask(
                "assets/upload",
                #"{"tokens":[{"recordName":"n","recordType":"Note","fieldName":"photo"}]}"#)
            let url = try #require(asked.firstMatch(of: #/"url":"([^"]+)"/#)?.1)
            let sent = String(
                decoding: try await client.curl(
                    String(url), nil, ["-F", "file=@\(stage.path("photo"))"]), as: UTF8.self)
            let asset = try #require(sent.firstMatch(of: #/"singleFile":(\{[^}]+\})/#)?.1)
            return asked + sent
                + (try await client.ask(
                    "records/modify",
                    "{\"operations\":[{\"operationType\":\"create\",\"record\":{\"recordName\":\"n\","
                        + "\"recordType\":\"Note\",\"fields\":{\"photo\":{\"value\":\(asset),"
                        + "\"type\":\"ASSETID\"}}}}]}"))
        }
        var recorded = ""
        var port: UInt16 = 0
        try await stage.withService { service in
            let summary = try await stage.record(
                service, to: "a", { $0.writes = .init(writable: [own]) }
            ) {
                server, proxy in
                port = server.port
                recorded = try await upload(.init(server: server, variables: proxy.variables))
                #expect(recorded.contains("recordChangeTag"), "\(recorded)")
            }
            #expect(summary.exchanges == 3)
            // Without leave there is no address to send anything to.
            _ = try await stage.record(service, to: "b") { server, proxy in
                let client = Stage.Client(server: server, variables: proxy.variables)
                let refused = try await client.ask("assets/upload", #"{"tokens":[]}"#)
                #expect(refused.contains("ACCESS_DENIED"))
                let unknown = try await client.curl("\(server.url)/upload/abc", "x")
                #expect(String(decoding: unknown, as: UTF8.self).contains("\n404 "))
            }
        }
        let replayed = try await stage.replay("a", port: port) { server, file in
            let answers = try await upload(.init(server: server, variables: file.head.variables))
            #expect(answers == recorded)
        }
        #expect(replayed.misses == 0 && replayed.unasked.isEmpty)
    }

    @Test func `a service with another certificate gets nothing`() async throws {
        let stage = try Stage()
        let told = Told()
        let server = try stage.server()
        try await stage.withService { service in
            let summary = try await stage.record(
                service, to: "a",
                {
                    // This authority is not the service's.
                    $0.trust = .file(server.authorityFile)
                    $0.warn = told.note
                }
            ) { server, proxy in
                let client = Stage.Client(server: server, variables: proxy.variables)
                let answer = try await client.ask("users/current")
                #expect(answer.contains("\n502 "))
            }
            #expect(summary.lost == 1 && summary.exchanges == 0)
            #expect(told.all.first?.contains("got no response from the service") == true)
        }
    }

    @Test func `what is not recorded is refused, never said to be gone`() async throws {
        let stage = try Stage()
        let told = Told()
        _ = try await stage.withService { service in
            try await stage.record(service, to: "a") { server, proxy in
                let client = Stage.Client(server: server, variables: proxy.variables)
                _ = try await client.ask("users/current")
                _ = try await client.ask("zones/list", "{}")
            }
        }
        let summary = try await stage.replay("a", report: told.note) { server, file in
            let client = Stage.Client(server: server, variables: file.head.variables)
            let answer = try await client.ask("zones/list", #"{"x":1}"#)
            #expect(answer.contains("\n400 ") && answer.contains("BAD_REQUEST"))
            #expect(answer.contains("nearest is exchange 2: x is 1, recorded was none"))
            _ = try await client.ask("zones/list", "{}")
        }
        #expect(summary.misses == 1 && summary.answered == 1)
        #expect(summary.unasked.map(\.number) == [1])
        #expect(told.all.first?.hasPrefix("POST /database/1/") == true)
    }

    /// What was told, sentence by sentence.
    private final class Told: @unchecked Sendable {
        // Holds: under the lock.
        private let lock = NSLock()
        private var texts: [String] = []
        var all: [String] { lock.withLock { texts } }
        var note: @Sendable (String) -> Void {
            { text in self.lock.withLock { self.texts.append(text) } }
        }
    }
}
