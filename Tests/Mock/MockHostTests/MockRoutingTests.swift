import CloudModel
import HTTPServer
import MockSamples
import Testing

/// Paths, methods, headers and pages, without sockets.
struct MockRoutingTests {
    private static let base = "/database/1/iCloud.com.example.myexampleapp/development/private/"

    @Test(arguments: [
        ("POST", "/database/1/iCloud.com.example.myexampleapp/development/private/zones/nope", 404),
        ("POST", "/", 405), ("DELETE", "/", 405),
        ("GET", "/database/2/x", 404), ("GET", "/favicon.ico", 404),
        ("DELETE", base + "zones/list", 405), ("GET", base + "zones/modify", 405),
        ("POST", "/database/1/notacontainer/development/private/zones/list", 401),
        ("POST", "/database/1/iCloud.com.example.a/staging/private/zones/list", 401),
        ("POST", "/database/1/iCloud.com.example.a/development/secret/zones/list", 400),
        ("GET", base + "zones/list", 401), ("POST", base + "zones/list", 401),
    ])
    func `what leads nowhere gets JSON, an identifier and CORS`(
        method: String, target: String, status: Int
    ) throws {
        let bench = try Bench()
        let answer = try #require(
            try bench.send(
                HTTPRequest(
                    method: method, target: target, headers: ["origin": "https://app.example"])))
        #expect(answer.status == status)
        #expect(answer.code != nil && answer.json?["uuid"] != nil && answer.json?["reason"] != nil)
        #expect(answer.headers["content-type"] == "application/json; charset=UTF-8")
        #expect(answer.headers["x-apple-request-uuid"]?.count == 36)
        #expect(answer.headers["x-apple-cloudkit-version"] == "1.0")
        #expect(answer.headers["access-control-allow-origin"] == "https://app.example")
        #expect(answer.headers["access-control-allow-credentials"] == "true")
        #expect(
            answer.headers["access-control-expose-headers"]?
                .contains("X-Apple-CloudKit-Web-Auth-Token") == true)
        #expect(answer.headers.contains("allow") == (status == 405))
    }

    @Test(arguments: ["/", base + "records/modify", "/anything/at/all"])
    func `OPTIONS is answered everywhere and echoes what was asked`(target: String) throws {
        let bench = try Bench()
        let answer = try #require(
            try bench.send(
                HTTPRequest(
                    method: "OPTIONS", target: target,
                    headers: [
                        "origin": "https://app.example",
                        "access-control-request-headers": "content-type, x-own",
                    ])))
        #expect(answer.status == 200)
        #expect(answer.headers["access-control-allow-origin"] == "https://app.example")
        #expect(answer.headers["access-control-allow-headers"] == "content-type, x-own")
        #expect(answer.headers["access-control-allow-methods"]?.contains("POST") == true)
        #expect(answer.headers["access-control-max-age"] != nil)
    }

    @Test(arguments: ["application/json", "text/plain", "nonsense", nil])
    func `the content type does not matter`(type: String?) throws {
        let bench = try Bench()
        var headers: HTTPHeaders = [:]
        if let type { headers.append("content-type", type) }
        let answer = try bench.call(
            .write(.modifyZones([.create(RecordZone.ID("Notes"))])), headers: headers)
        #expect(answer?.status == 200)
        #expect(try bench.zoneNames() == ["Notes"])
    }

    @Test(arguments: ["GET", "POST"])
    func `lists are answered by GET and by POST`(method: String) throws {
        let bench = try Bench()
        let target =
            Self.base + "zones/list?ckAPIToken=\(try bench.apiToken)"
            + "&ckWebAuthToken=\(bench.webToken("ann"))"
        let body = method == "POST" ? Array("{}".utf8) : []
        let answer = try bench.send(HTTPRequest(method: method, target: target, body: body))
        #expect(answer?.status == 200)
    }

    @Test func `a container that is not served is not known`() throws {
        let bench = try Bench { $0.containers = [Samples.main] }
        #expect(try bench.call(.read(.caller))?.status == 200)
        let answer = try bench.call(.read(.caller), at: Samples.address(.private, Samples.other))
        #expect(answer?.status == 401)
        #expect(answer?.code == "AUTHENTICATION_FAILED")
    }

    @Test func `every answer has another identifier`() throws {
        let bench = try Bench()
        let identifiers = try (0..<100).map { _ in
            try bench.call(.read(.caller))?.headers["x-apple-request-uuid"] ?? ""
        }
        #expect(Set(identifiers).count == 100)
        #expect(identifiers.allSatisfy { Array($0)[14] == "4" })
    }
}
