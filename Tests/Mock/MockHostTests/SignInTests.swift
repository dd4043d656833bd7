import CloudWire
import HTTPServer
import Testing

/// Who may sign a user in, and where the token goes.
struct SignInTests {
    private static let own = "https://localhost:8443"
    private static let app = "https://app.example:3000"

    private func send(
        _ bench: Bench, _ method: String, _ target: String, form: String = "",
        _ headers: HTTPHeaders = [:]
    ) throws -> Bench.Answer {
        try #require(
            try bench.send(
                HTTPRequest(
                    method: method, target: target, headers: headers, body: Array(form.utf8))))
    }

    /// Where a page of `origin` is sent by the answer that asks for a user.
    private func address(_ bench: Bench, origin: String?) throws -> String {
        let answer = try #require(
            try bench.call(.read(.caller), as: nil, headers: origin.map { ["origin": $0] } ?? [:]))
        let url = try #require(answer.json?["redirectURL"]?.string)
        #expect(answer.status == 421 && url.hasPrefix(Self.own + "/_mock/signin?"))
        return String(url.dropFirst(Self.own.count))
    }

    @Test func `no user is signed in without an API token`() throws {
        let bench = try Bench()
        for form in ["user=ann", "user=ann&apiToken=", "user=ann&apiToken=wrong"] {
            let answer = try send(bench, "POST", "/_mock/signin", form: form)
            #expect(answer.status == 401, "\(form)")
            #expect(!answer.text.contains("textarea"), "\(form)")
        }
        for query in ["", "?apiToken=", "?apiToken=wrong"] {
            #expect(try send(bench, "GET", "/_mock/signin" + query).status == 401, "\(query)")
        }
    }

    /// Posts the form with the API token and some header fields.
    private func signIn(_ fields: [String: String]) throws -> Bench.Answer {
        let bench = try Bench()
        var headers: HTTPHeaders = [:]
        for (name, value) in fields { headers.append(name, value) }
        return try send(
            bench, "POST", "/_mock/signin", form: "user=ann&apiToken=\(try bench.apiToken)",
            headers)
    }

    @Test(arguments: [
        ["origin": "https://evil.example"], ["origin": "null"], ["origin": app],
        ["referer": "https://evil.example/page"], ["referer": "not an address"],
        ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
        ["origin": own + ".evil.example"],
    ])
    func `a page from elsewhere signs nobody in, even with the API token`(
        fields: [String: String]
    ) throws {
        let answer = try signIn(fields)
        #expect(answer.status == 403)
        #expect(!answer.text.contains("textarea") && !answer.headers.contains("location"))
    }

    @Test(arguments: [
        ["origin": own], ["origin": "https://127.0.0.1:8443"], ["origin": "https://[::1]:8443"],
        ["referer": own + "/_mock/signin?apiToken=1"], ["sec-fetch-site": "same-origin"], [:],
    ])
    func `the server's own page signs a user in, under each name of the server`(
        fields: [String: String]
    ) throws {
        let answer = try signIn(fields)
        #expect(answer.status == 200)
        #expect(answer.text.contains("textarea"))
    }

    @Test func `the token is posted only to the page that began the sign-in`() throws {
        let bench = try Bench()
        let target = try address(bench, origin: Self.app)
        let page = try send(bench, "GET", target, ["referer": Self.app + "/"])
        #expect(page.status == 200)
        #expect(page.text.contains(Self.app))
        // What the form sends is what stands in its fields.
        var form = "user=ann"
        for field in page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let name = field.prefix { $0 != "\"" }
            let rest = field.dropFirst(name.count + #"" value=""#.count)
            form += "&\(name)=" + WireQuery.encoded(String(rest.prefix { $0 != "\"" }))
        }
        let done = try send(bench, "POST", "/_mock/signin", form: form, ["origin": Self.own])
        #expect(done.status == 200)
        #expect(done.text.contains(#"data-origin="\#(Self.app)""#))
        #expect(done.text.contains("postMessage") && !done.text.contains(#""*""#))
        // A page of nobody knows where: the token is shown, and posted to nobody.
        let alone = try send(
            bench, "POST", "/_mock/signin", form: "user=ann&apiToken=\(try bench.apiToken)")
        #expect(!alone.text.contains("data-origin=\"http"))
        #expect(!alone.text.contains(#""*""#))
    }

    @Test(arguments: [
        "*", "/", "null", "javascript:alert(1)", "https://", "https://a b", "https://a/path",
        "https://a\"onload=\"x", "https://\(String(repeating: "a", count: 400))",
    ])
    func `what is no page's origin is not posted to`(origin: String) throws {
        let bench = try Bench()
        let query = "&origin=" + WireQuery.encoded(origin)
        let page = try send(
            bench, "GET", "/_mock/signin?apiToken=\(try bench.apiToken)" + query)
        #expect(page.status == 400)
        let done = try send(
            bench, "POST", "/_mock/signin", form: "user=ann&apiToken=\(try bench.apiToken)" + query)
        #expect(done.status == 400)
    }

    @Test func `a page of another origin does not open the sign-in of this one`() throws {
        let bench = try Bench()
        let target = try address(bench, origin: Self.app)
        #expect(
            try send(bench, "GET", target, ["referer": "https://evil.example/"]).status == 403)
        #expect(try send(bench, "GET", target).status == 200)
        #expect(try send(bench, "GET", target, ["referer": Self.own + "/"]).status == 200)
        // A program that was told where to sign in has no origin; neither has the page it opens.
        #expect(try send(bench, "GET", try address(bench, origin: nil)).status == 200)
        #expect(try send(bench, "GET", try address(bench, origin: "null")).status == 200)
    }

    /// The browser sends its form's own origin only where it may name it to the same server.
    @Test func `the page lets the browser say where its form comes from`() throws {
        let bench = try Bench()
        let page = try send(bench, "GET", try address(bench, origin: Self.app))
        #expect(page.headers["referrer-policy"] == "same-origin")
    }

    @Test func `two servers have tokens of their own, unless a seed is given`() throws {
        let (one, other) = (try Bench(), try Bench())
        #expect(try one.apiToken != other.apiToken)
        let stolen = one.webToken("ann")
        #expect(try other.call(.read(.caller), webToken: stolen)?.status == 401)
        let seeded = try (Bench { $0.seed = 5 }, Bench { $0.seed = 5 })
        #expect(try seeded.0.apiToken == seeded.1.apiToken)
        let known = seeded.0.webToken("ann")
        #expect(try seeded.1.call(.read(.caller), webToken: known)?.status == 200)
    }
}
