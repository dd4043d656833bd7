import AsyncOperations
import Foundation
import HTTPServer
import JSON
import MockService
import MockStore
import Testing

/// Who may administer a server.
struct AdminTokenTests {
    private typealias Running = MockServerTests.Running

    /// The status without a token of the paths that are open.
    private static let open = [
        "/_mock/v1/health": 200, "/_mock/v1/ca.pem": 200, "/_mock/v1/openapi.json": 200,
        "/_mock/v1/rules": 200,
    ]

    private func rows(_ bench: Bench) throws -> [(method: String, path: String)] {
        let rows = try #require(try bench.admin("GET", "").json?["administration"])
        return try rows.elements.map {
            (try #require($0["method"]?.string), try #require($0["path"]?.string))
        }
    }

    /// Values of `Authorization` that are not a server's token, but for the case of the scheme.
    private func wrongValues(_ token: AdminToken) -> [String] {
        let text = token.text
        let other = text.hasSuffix("0") ? "1" : "0"
        return [
            AdminToken().headerValue, "Bearer ", "Bearer", text, "Basic \(text)",
            "Bearer  \(text)", "Bearer \(text.dropLast())", "Bearer \(text)0",
            "Bearer \(text.dropLast())\(other)", "Bearer \(text), Bearer \(text)",
            "Bearer \(String(repeating: "0", count: text.count))",
        ]
    }

    @Test
    func `every request of the administration needs the token, except a few that reveal nothing`()
        throws
    {
        let bench = try Bench()
        let rows = try rows(bench)
        #expect(rows.count > 50)
        var opened: Set<String> = []
        for (method, path) in rows {
            let request = HTTPRequest(method: method, target: path, body: Array("{}".utf8))
            if let status = Self.open[path] {
                #expect(method == "GET")
                #expect(try bench.sendAsIs(request)?.status == status, "\(path)")
                opened.insert(path)
                continue
            }
            for value in [nil] + wrongValues(bench.app.adminToken) {
                var request = request
                if let value { request.headers.append("authorization", value) }
                let answer = try #require(try bench.sendAsIs(request))
                #expect(answer.status == 401, "\(method) \(path)")
                #expect(answer.headers["www-authenticate"] == "Bearer")
                #expect(answer.json?["error"]?.string?.contains("token") == true)
                #expect(!answer.text.contains(bench.app.adminToken.text))
            }
            #expect(try bench.send(request)?.status != 401, "\(method) \(path)")
        }
        #expect(opened == Set(Self.open.keys))
    }

    @Test(arguments: [
        "/_mock", "/_mock/", "/_mock/v1", "/_mock/v2/users", "/_mock/v1/users/", "/_mock/v1//users",
        "/_mock/v1/helth", "/_mock/console/", "/_mock/v1/health/", "/_mocking",
    ])
    func `without the token no path is revealed to be missing`(path: String) throws {
        let bench = try Bench()
        #expect(
            try bench.sendAsIs(HTTPRequest(method: "GET", target: path))?.status == 401, "\(path)")
        #expect(try bench.send(HTTPRequest(method: "GET", target: path))?.status == 404, "\(path)")
    }

    @Test func `the scheme of the header may have any case`() throws {
        let bench = try Bench()
        for scheme in ["Bearer", "bearer", "BEARER"] {
            let request = HTTPRequest(
                method: "GET", target: "/_mock/v1/users",
                headers: ["authorization": "\(scheme) \(bench.app.adminToken.text)"])
            #expect(try bench.sendAsIs(request)?.status == 200)
        }
    }

    @Test func `health is the status alone without the token`() throws {
        let bench = try Bench { $0.seed = 7 }
        let health = HTTPRequest(method: "GET", target: "/_mock/v1/health")
        for request in [health, AdminToken().authorizing(health)] {
            let answer = try #require(try bench.sendAsIs(request))
            #expect(answer.json?.members.map(\.key) == ["status"])
            #expect(answer.json?["status"]?.string == "ok")
        }
        #expect(try bench.admin("GET", "health").json?["seed"]?.string == "7")
    }

    @Test func `each start draws another token, of 256 bits, whatever the seed`() throws {
        let tokens = try (0..<3).map { _ in try Bench { $0.seed = 1 }.app.adminToken }
        #expect(Set(tokens).count == 3)
        for token in tokens {
            #expect(token.text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
            #expect(!"\(token)".contains(token.text))
        }
    }

    @Test func `a page from elsewhere is refused with the token too`() throws {
        let bench = try Bench()
        let headers: [HTTPHeaders] = [
            ["origin": "https://app.example"], ["sec-fetch-site": "cross-site"],
            ["sec-fetch-site": "same-site"],
        ]
        for headers in headers {
            #expect(try bench.admin("GET", "users", headers: headers).status == 403)
        }
    }

    @Test func `the ready file has the token, and the link to the console, for its owner alone`()
        throws
    {
        let running = try Running { $0.users = ["ann"] }
        let path = running.folder.path + "-ready.json"
        let facts = try JSONDocument.parse(Array(Data(contentsOf: URL(filePath: path)))).root
        let token = running.ready.adminToken.text
        #expect(facts["adminToken"]?.string == token)
        #expect(facts["console"]?.string == "\(running.ready.url)/#token=\(token)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(!running.ready.line.contains(token))
        #expect(!"\(running.ready)".replacing(running.ready.consoleURL, with: "").contains(token))
        #expect(running.stop())
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `bodies that need the token are not read without it`(version: String) throws {
        let running = try Running()
        let body = running.folder.path + "/body"
        try Data(repeating: 0x20, count: 2 << 20).write(to: URL(filePath: body))
        for (method, path) in [("POST", "import"), ("PUT", "faults"), ("POST", "seed")] {
            let arguments = [
                "--cacert", running.ready.caFile, version, "-X", method, "-w", "\n%{http_code}",
                "-H", "Expect:", "-H", "Content-Type: application/json", "--data-binary",
                "@" + body, running.ready.url + "/_mock/v1/" + path,
            ]
            let refused = try running.curlAsStranger(arguments)
            #expect(refused.text.contains("token"), "\(path): \(refused.text)")
            #expect(refused.text.hasSuffix("401"), "\(path): \(refused.text)")
            #expect(try running.curl(arguments).text.hasSuffix("400"), "\(path)")
        }
        #expect(running.stop())
    }

    @Test func `the token opens every namespace, and no other server`() throws {
        let one = try Running { $0.makesNamespaces = true }
        let other = try Running()
        let path = "/_mock/v1/users"
        func status(_ server: Running, _ prefix: String, _ token: AdminToken) throws -> String {
            try server.curlAsStranger([
                "--cacert", server.ready.caFile, "-o", "/dev/null", "-w", "%{http_code}", "-H",
                "Authorization: \(token.headerValue)", server.ready.url + prefix + path,
            ]).text
        }
        for prefix in ["", "/~r1", "/~r2"] {
            #expect(try status(one, prefix, one.ready.adminToken) == "200")
            #expect(try status(one, prefix, other.ready.adminToken) == "401")
        }
        #expect(try status(other, "", one.ready.adminToken) == "401")
        #expect(one.stop() && other.stop())
    }

    @Test func `nothing that the server keeps or shows has the token`() throws {
        let told = Locked<[String]>([])
        let running = try Running { configuration in
            configuration.checksClients = true
            configuration.warn = { text in told.withLock { $0.append(text) } }
            configuration.note = { text in told.withLock { $0.append(text) } }
        }
        let ca = ["--cacert", running.ready.caFile]
        let admin = running.ready.url + "/_mock/v1/"
        // The service is sent it as well, by each request of `curl`.
        _ = try running.curl(ca + [running.url("zones/list"), running.url("zones/lst")])
        _ = try running.curl(ca + ["-X", "PUT", admin + "faults", "-d", #"["any -> THROTTLED"]"#])
        _ = try running.curl(ca + [running.url("zones/list")])
        for path in [
            "", "health", "users", "tokens", "keys", "journal", "findings?final=true", "faults",
            "options", "export", "dump?user=ann", "metrics", "summary", "explain?request=2",
            "positions", "pushes", "openapi.json", "namespaces",
        ] {
            let answer = try running.curl(ca + ["-w", "\n%{http_code}", admin + path])
            #expect(answer.text.hasSuffix("200"), "\(path): \(answer.text)")
            #expect(!answer.text.contains(running.ready.adminToken.text), "\(path)")
        }
        #expect(running.stop())
        #expect(!told.withLock { $0 }.joined().contains(running.ready.adminToken.text))
    }
}
