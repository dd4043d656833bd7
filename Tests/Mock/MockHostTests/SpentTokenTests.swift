import CloudModel
import CloudWire
import Foundation
import HTTPServer
import MockSamples
import MockStore
import Testing

/// Web tokens that are good for one request: once used they stay used.
struct SpentTokenTests {
    private static let caller = CloudCommand.read(.caller)
    private static let header = "x-apple-cloudkit-web-auth-token"

    /// A folder for one store; nothing is left of it.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("store-\(ProcessInfo.processInfo.globallyUniqueString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// A strict server over a folder, as each start of it finds it.
    private func start<Result>(_ folder: String, _ body: (Bench) throws -> Result) throws -> Result
    {
        try body(
            try Bench {
                $0.storage = .directory(folder)
                $0.singleUseTokens = true
                $0.webTokens = [.init(user: "ann", token: "chosen-at-the-start")]
            })
    }

    private func status(_ bench: Bench, _ token: String) throws -> Int? {
        try bench.call(Self.caller, webToken: token)?.status
    }

    @Test func `a used token stays used when the server is started again, an unused one good`()
        throws
    {
        try withFolder { folder in
            let (used, unused, next) = try start(folder) { (bench: Bench) throws in
                let tokens = (0..<3).map { _ in bench.app.issueWebToken(user: "ann") }
                let answer = try #require(try bench.call(Self.caller, webToken: tokens[1]))
                #expect(try status(bench, "chosen-at-the-start") == 200)
                return (tokens[1], tokens[2], try #require(answer.headers[Self.header]))
            }
            try start(folder) { (bench: Bench) throws in
                let new = bench.app.issueWebToken(user: "ann")
                #expect(![used, unused, next].contains(new))
                for token in [used, "chosen-at-the-start"] {
                    #expect(try status(bench, token) == 421)
                }
                for token in [unused, next, new] {
                    #expect(try status(bench, token) == 200)
                    #expect(try status(bench, token) == 421)
                }
            }
        }
    }

    @Test func `a token whose use was not stored is good once more`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        try bench.admin("POST", "tokens", #"{"user":"ann","webToken":"chosen"}"#)
        let wire = WireRequest(Self.caller, at: Samples.address())
        let target = wire.path + "?ckAPIToken=\(try bench.apiToken)&ckWebAuthToken="
        for token in [bench.app.issueWebToken(user: "ann"), "chosen"] {
            try bench.app.store.limitSize(pages: 1)
            _ = bench.app.respond(HTTPRequest(method: wire.method, target: target + token))
            for number in 0..<500 {
                let user = #"{"name":"somebody-who-needs-room-\#(number)"}"#
                _ = try bench.send(user, to: "users")
            }
            #expect(throws: (any Error).self) { try bench.app.commit() }
            try bench.app.store.limitSize(pages: 1_000_000)
            #expect(try status(bench, token) == 200)
            #expect(try status(bench, token) == 421)
        }
    }

    @Test func `a chosen token that is chosen again is valid again`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        for _ in 0..<2 {
            try bench.admin("POST", "tokens", #"{"user":"ann","webToken":"chosen"}"#)
            #expect(try status(bench, "chosen") == 200)
            #expect(try status(bench, "chosen") == 421)
        }
    }

    @Test func `of a chosen token that is removed nothing is kept`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        try bench.admin("POST", "tokens", #"{"user":"ann","webToken":"chosen"}"#)
        #expect(try status(bench, "chosen") == 200)
        #expect(bench.app.store.isSpent(.chosen("chosen")))
        #expect(try bench.admin("DELETE", "tokens?webToken=chosen").status == 200)
        #expect(!bench.app.store.isSpent(.chosen("chosen")))
        #expect(try status(bench, "chosen") == 401)
        #expect(try bench.admin("DELETE", "tokens?webToken=chosen").status == 404)
    }

    @Test func `what the server makes after a start is nothing that it made before`() throws {
        try withFolder { folder in
            var seen: Set<String> = []
            for _ in 0..<3 {
                try start(folder) { (bench: Bench) throws in
                    for _ in 0..<2 {
                        let answer = try bench.admin(
                            "POST", "tokens", #"{"container":"\#(Samples.main.rawValue)"}"#)
                        let token = try #require(answer.json?["apiToken"]?.string)
                        #expect(seen.insert(token).inserted)
                        #expect(seen.insert(bench.app.issueWebToken(user: "ann")).inserted)
                    }
                }
            }
        }
    }
}
