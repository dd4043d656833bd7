import Basics
import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockSamples
import OpenSSL
import Testing

/// Who is let in, and how others are told.
struct MockAuthenticationTests {
    @Test(arguments: [
        (CloudCommand.read(.listZones(token: nil)), Database.Scope.private),
        (.read(.listZones(token: nil)), .shared), (.read(.caller), .private),
        (.read(.currentUser), .public),
        (.read(.listSubscriptions), .public),
        (.write(.modifyRecords(RecordModifyRequest(operations: []))), .public),
    ])
    func `an API token alone is sent to the sign-in page`(
        command: CloudCommand, scope: Database.Scope
    ) throws {
        let bench = try Bench()
        let answer = try #require(
            try bench.call(command, as: nil, at: Samples.address(scope)))
        #expect(answer.status == 421)
        #expect(answer.code == "AUTHENTICATION_REQUIRED")
        let url = try #require(answer.json?["redirectURL"]?.string)
        #expect(url.hasPrefix("https://localhost:8443/_mock/signin?"))
        #expect(answer.headers["access-control-allow-origin"] == "*")
    }

    @Test func `the world may read a public database`() throws {
        let bench = try Bench()
        let query = CloudCommand.read(
            .queryRecords(
                RecordQueryRequest(query: Query(recordType: "Article"))))
        let answer = try bench.call(query, as: nil, at: Samples.address(.public))
        #expect(answer?.status == 200 || answer?.status == 404)
        #expect(answer?.code != "AUTHENTICATION_REQUIRED")
    }

    @Test(arguments: [
        "", "?ckAPIToken=", "?ckAPIToken=wrong",
        "?ckAPIToken=" + String(repeating: "0", count: 64), "?ckWebAuthToken=only",
    ])
    func `a wrong API token is refused`(query: String) throws {
        let bench = try Bench()
        let answer = try bench.send(
            HTTPRequest(
                method: "GET",
                target: "/database/1/\(Samples.main)/development/private/users/caller" + query))
        #expect(answer?.status == 401)
        #expect(answer?.code == "AUTHENTICATION_FAILED")
    }

    @Test func `signing in goes by form, page and token`() throws {
        let bench = try Bench()
        let refused = try #require(try bench.call(.read(.caller), as: nil))
        let url = try #require(refused.json?["redirectURL"]?.string)
        let target = String(url.dropFirst("https://localhost:8443".count))
        let page = try #require(try bench.send(HTTPRequest(method: "GET", target: target)))
        #expect(page.headers["content-type"] == "text/html; charset=UTF-8")
        #expect(page.text.contains(#"<button name="user" value="ann">"#))
        // Nothing sticks out of a narrow window, and there is a landmark to jump to.
        for part in ["<main>", "overflow-wrap: anywhere", "box-sizing: border-box"] {
            #expect(page.text.contains(part))
        }
        let done = try #require(
            try bench.send(
                HTTPRequest(
                    method: "POST", target: "/_mock/signin",
                    body: Array("apiToken=\(try bench.apiToken)&user=bob".utf8))))
        #expect(done.text.contains("postMessage"))
        let area = try #require(done.text.firstRange(of: "<textarea"))
        let token = String(
            done.text[area.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
        let answer = try bench.send(
            HTTPRequest(
                method: "GET",
                target: "/database/1/\(Samples.main)/development/private/users/caller"
                    + "?ckAPIToken=\(try bench.apiToken)&ckWebAuthToken=\(token)"))
        #expect(answer?.status == 200)
        #expect(answer?.headers["x-apple-cloudkit-web-auth-token"] != nil)
    }

    @Test func `a callback gets the token twice in its query`() throws {
        let bench = try Bench { $0.signInCallback = "http://127.0.0.1:9/back?x=1" }
        let answer = try #require(
            try bench.send(
                HTTPRequest(
                    method: "POST", target: "/_mock/signin",
                    body: Array("user=ann&apiToken=\(try bench.apiToken)".utf8))))
        #expect(answer.status == 302)
        let location = try #require(answer.headers["location"])
        let query = WireQuery(String(location.drop { $0 != "?" }.dropFirst()))
        #expect(location.hasPrefix("http://127.0.0.1:9/back?x=1&ckWebAuthToken="))
        #expect(query["ckWebAuthToken"] == query["ckSession"])
    }

    @Test func `names of users cannot break out of the page`() throws {
        let bench = try Bench()
        try bench.admin("POST", "users", #"{"name":"x","givenName":"<script>\"'&"}"#)
        let page = try bench.send(
            HTTPRequest(
                method: "GET", target: "/_mock/signin?apiToken=\(try bench.apiToken)"))
        #expect(page?.text.contains("<script>\"") == false)
        #expect(page?.text.contains("&lt;script&gt;&quot;&#39;&amp;") == true)
    }

    @Test func `a spent token needs a new sign-in where tokens are for single use`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        let first = try #require(try bench.call(.read(.caller)))
        #expect(first.status == 200)
        let next = try #require(first.headers["x-apple-cloudkit-web-auth-token"])
        #expect(try bench.call(.read(.caller))?.status == 421)
        let target =
            "/database/1/\(Samples.main)/development/private/users/caller?ckAPIToken="
            + "\(try bench.apiToken)&ckWebAuthToken=\(next)"
        #expect(try bench.send(HTTPRequest(method: "GET", target: target))?.status == 200)
        #expect(try bench.send(HTTPRequest(method: "GET", target: target))?.status == 421)
    }

    @Test func `a token expires by the server's clock`() throws {
        let bench = try Bench { $0.webTokenSecondsMax = 60 }
        #expect(try bench.call(.read(.caller))?.status == 200)
        try bench.admin("POST", "clock/advance", #"{"seconds":61}"#)
        let answer = try bench.call(.read(.caller))
        #expect(answer?.status == 421)
    }

    @Test func `a raw plus in a token arrives as a plus`() throws {
        let bench = try Bench()
        try bench.admin("POST", "tokens", #"{"user":"bob","webToken":"aa+bb/cc==dd"}"#)
        for text in ["aa+bb/cc==dd", "aa%2Bbb%2Fcc%3D%3Ddd", "aa%20bb/cc==dd"] {
            let answer = try bench.send(
                HTTPRequest(
                    method: "GET",
                    target: "/database/1/\(Samples.main)/development/private/users/caller"
                        + "?ckAPIToken=\(try bench.apiToken)&ckWebAuthToken=\(text)"))
            #expect(answer?.status == 200, "\(text)")
        }
    }

    /// What a signed request may leave out or get wrong.
    enum Change: CaseIterable {
        case none, emptyHash, queryInPath, wrongPath, wrongBody, wrongDate, otherKey, unknownKey
        case privateDatabase, garbage
        var isFine: Bool { [.none, .emptyHash, .queryInPath].contains(self) }
    }

    @Test(arguments: Change.allCases)
    func `signed requests are checked to the letter`(change: Change) throws {
        let bench = try Bench()
        let key = try P256.PrivateKey.generate()
        let pem = String(decoding: key.publicKey.pem, as: UTF8.self)
            .replacing("\n", with: "\\n")
        let made = try bench.admin("POST", "keys", #"{"publicKey":"\#(pem)"}"#)
        var id = try #require(made.json?["keyID"]?.string)
        let scope: Database.Scope = change == .privateDatabase ? .private : .public
        let path = "/database/1/\(Samples.main)/development/\(scope.rawValue)/zones/list"
        let isEmpty = change == .emptyHash
        let body = isEmpty ? [] : Array("{}".utf8)
        let hash = isEmpty ? "" : Base64.encode(SHA256.hash(body))
        var date = Samples.start.iso8601
        if change == .wrongDate { date = "2026-01-15T07:30:00Z" }
        var signedPath = path
        if change == .queryInPath { signedPath += "?x=1" }
        if change == .wrongPath { signedPath += "/" }
        let signer = change == .otherKey ? try P256.PrivateKey.generate() : key
        let signature = try signer.sign(
            Array(RequestSigning.message(date: date, bodyHash: hash, path: signedPath).utf8))
        if change == .unknownKey { id = String(repeating: "0", count: 64) }
        let answer = try #require(
            try bench.send(
                HTTPRequest(
                    method: isEmpty ? "GET" : "POST",
                    target: path + (change == .queryInPath ? "?x=1" : ""),
                    headers: [
                        RequestSigning.keyIDHeader: id, RequestSigning.dateHeader: date,
                        RequestSigning.signatureHeader: change == .garbage
                            ? "!" : Base64.encode(signature),
                    ], body: change == .wrongBody ? Array("{ }".utf8) : body)))
        #expect(answer.status == (change.isFine ? 200 : 401), "\(answer.text)")
        if !change.isFine { #expect(answer.code == "AUTHENTICATION_FAILED") }
        #expect(!answer.headers.contains("x-apple-cloudkit-web-auth-token"))
    }

    @Test func `the check of a signature's date can be switched off`() throws {
        let bench = try Bench()
        try bench.admin("PUT", "options", #"{"checksClockSkew":false}"#)
        let key = try P256.PrivateKey.generate()
        let pem = String(decoding: key.publicKey.pem, as: UTF8.self).replacing("\n", with: "\\n")
        let made = try bench.admin("POST", "keys", #"{"publicKey":"\#(pem)"}"#)
        let path = "/database/1/\(Samples.main)/development/public/zones/list"
        let signature = try key.sign(
            Array(
                RequestSigning.message(date: "2001-01-01T00:00:00Z", bodyHash: "", path: path)
                    .utf8))
        let answer = try bench.send(
            HTTPRequest(
                method: "GET", target: path,
                headers: [
                    RequestSigning.keyIDHeader: made.json?["keyID"]?.string ?? "",
                    RequestSigning.dateHeader: "2001-01-01T00:00:00Z",
                    RequestSigning.signatureHeader: Base64.encode(signature),
                ]))
        #expect(answer?.status == 200)
    }
}
