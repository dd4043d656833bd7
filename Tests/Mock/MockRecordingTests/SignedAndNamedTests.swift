import Basics
import CloudModel
import CloudWire
import Foundation
import MockHost
import MockRecording
import OpenSSL
import Testing

/// Requests that must arrive as they were signed, and recordings without the names of records.
@Suite(.timeLimit(.minutes(10)))
struct SignedAndNamedTests {
    private static let keyID = String(repeating: "ab", count: 32)

    /// Saves a record with a key, and looks it up; the record as the caller sees it.
    private func session(
        _ server: RecordingServer, _ key: P256.PrivateKey, keyID: String
    ) async throws -> String {
        let client = Stage.Client(server: server, variables: [:])
        var answers = ""
        for (operation, body) in [
            (
                "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordName":"p","recordType":"Note"}}]}"#
            ), ("records/lookup", #"{"records":[{"recordName":"p"}]}"#),
        ] {
            let path = "/database/1/\(Stage.container)/development/public/\(operation)"
            let date = Stage.clock.now.iso8601
            let message = RequestSigning.message(
                date: date, bodyHash: Base64.encode(SHA256.hash(Array(body.utf8))), path: path)
            let answer = try await client.curl(
                server.url + path, body,
                [
                    "-H", "\(RequestSigning.keyIDHeader): \(keyID)", "-H",
                    "\(RequestSigning.dateHeader): \(date)", "-H",
                    "\(RequestSigning.signatureHeader): "
                        + Base64.encode(try key.sign(Array(message.utf8))),
                ])
            answers += String(decoding: answer, as: UTF8.self)
        }
        return answers
    }

    @Test func `a key's program sees names as they are, and the recording has none of them`()
        async throws
    {
        let stage = try Stage()
        let key = try P256.PrivateKey.generate()
        let file = stage.path("key.pem")
        try Data(key.publicKey.pem).write(to: URL(fileURLWithPath: file))
        let own = try #require(Container.ID(Stage.container))
        var recorded = ""
        func takeKey(_ configuration: inout MockServerConfiguration) {
            configuration.serverKeys = [.init(id: Self.keyID, file: file)]
        }
        try await stage.withService(takeKey) { service in
            let summary = try await stage.record(
                service, to: "a", { $0.writes = .init(writable: [own]) }
            ) { server, _ in
                recorded = try await session(server, key, keyID: Self.keyID)
            }
            #expect(summary.exchanges == 2)
        }
        #expect(recorded.contains(#""recordChangeTag""#), "\(recorded)")
        let pattern = #/"userRecordName":"([^"]+)"/#
        let user = try #require(recorded.firstMatch(of: pattern)?.1)
        let tag = try #require(recorded.firstMatch(of: #/"recordChangeTag":"[^"]+"/#)?.0)
        let text = try String(contentsOfFile: stage.path("a"), encoding: .utf8)
        #expect(!text.contains(user) && !text.contains(Self.keyID) && text.contains("key-1"))
        // Whatever key there is then, it is the recording's.
        let summary = try await stage.replay("a") { server, _ in
            let answers = try await session(
                server, try P256.PrivateKey.generate(), keyID: String(repeating: "cd", count: 32))
            let standIn = try #require(answers.firstMatch(of: pattern)?.1)
            #expect(standIn != user)
            #expect(answers.contains(tag))
        }
        #expect(summary.misses == 0 && summary.unasked.isEmpty)
    }

    @Test func `names of records are replaced where that is asked for`() async throws {
        let stage = try Stage()
        // The program knows this name by itself.
        let lookup = #"{"records":[{"recordName":"note-1"}],"zoneID":{"zoneName":"Notes"}}"#
        var recorded = ""
        _ = try await stage.withService { service in
            try await stage.record(service, to: "a", { $0.replacesRecordNames = true }) {
                server, proxy in
                let client = Stage.Client(server: server, variables: proxy.variables)
                recorded = try await client.ask("records/lookup", lookup)
            }
        }
        #expect(recorded.contains("From ") && !recorded.contains("note-1"))
        #expect(try !String(contentsOfFile: stage.path("a"), encoding: .utf8).contains("note-1"))
        let summary = try await stage.replay("a") { server, file in
            let client = Stage.Client(server: server, variables: file.head.variables)
            let answer = try await client.ask("records/lookup", lookup)
            #expect(answer.contains("From "))
        }
        #expect(summary.misses == 0)
    }
}
