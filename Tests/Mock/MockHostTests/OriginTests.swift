import CloudWire
import HTTPServer
import JSON
import MockSamples
import Testing

/// API tokens for the pages of some origins, and sign-ins that end at an address.
struct OriginTests {
    private static let app = "https://app.example:3000"
    private static let cors = "access-control-allow-origin"

    private func token(_ bench: Bench, _ members: String) throws -> String {
        let answer = try bench.admin("POST", "tokens", "{\(members)}")
        return try #require(answer.json?["apiToken"]?.string, "\(answer.text)")
    }

    private func ask(
        _ bench: Bench, _ token: String, _ headers: HTTPHeaders, method: String = "GET"
    ) throws -> Bench.Answer {
        try #require(
            try bench.send(
                HTTPRequest(
                    method: method,
                    target: "/database/1/\(Samples.main)/development/public/zones/list"
                        + "?ckAPIToken=\(token)", headers: headers)))
    }

    @Test(
        arguments: [
            (["origin": app], true), (["origin": "https://APP.example:3000"], true),
            (["origin": "http://site.test"], true), (["origin": "https://site.test:8080"], true),
            ([:], true), (["sec-fetch-site": "same-origin"], true),
            (["sec-fetch-site": "none"], true),
            (["sec-fetch-site": "cross-site", "referer": app + "/page"], true),
            (["origin": "https://evil.example"], false), (["origin": "null"], false),
            (["origin": ""], false), (["origin": "https://app.example"], false),
            (["origin": "http://app.example:3000"], false),
            (["origin": app + ".evil.example"], false), (["origin": "https://a.site.test"], false),
            (["origin": "https://site.test.evil.example"], false),
            (["origin": app + "/"], false), (["origin": app + " https://evil.example"], false),
            // An image of a page has no origin.
            (["sec-fetch-site": "cross-site"], false),
            (["sec-fetch-site": "same-site", "referer": "https://evil.example/"], false),
            (["sec-fetch-site": "cross-site", "referer": app + ".evil.example/"], false),
        ] as [([String: String], Bool)])
    func `an API token of some origins is for their pages, and for programs`(
        fields: [String: String], isAdmitted: Bool
    ) throws {
        let bench = try Bench()
        let token = try token(bench, #""origins":["\#(Self.app)","site.test"]"#)
        var headers: HTTPHeaders = [:]
        for (name, value) in fields { headers.append(name, value) }
        let answer = try ask(bench, token, headers)
        #expect(answer.status == (isAdmitted ? 200 : 401))
        #expect(answer.code == (isAdmitted ? nil : "AUTHENTICATION_FAILED"))
        // A browser lets nobody read what has no such field.
        let origin = fields["origin"]
        if isAdmitted {
            #expect(answer.headers[Self.cors] == origin ?? "*")
        } else if origin != nil {
            #expect(answer.headers[Self.cors] == nil)
            #expect(answer.headers["access-control-allow-credentials"] == nil)
        }
        var preflight = headers
        preflight.append("access-control-request-headers", "content-type")
        let asked = try ask(bench, token, preflight, method: "OPTIONS")
        if isAdmitted {
            #expect(asked.status == 200)
            #expect(asked.headers["access-control-allow-headers"] == "content-type")
        } else if origin != nil {
            #expect(asked.status == 403 && asked.headers[Self.cors] == nil)
            #expect(asked.headers["access-control-allow-methods"] == nil)
            #expect(asked.headers["vary"] == "origin")
        }
        // Other tokens are for every page.
        let other = try ask(bench, try bench.apiToken, headers)
        #expect(other.status == 200 && other.headers[Self.cors] == origin ?? "*")
    }

    @Test func `a token of no origins is for no page`() throws {
        let bench = try Bench()
        let token = try token(bench, #""origins":[]"#)
        #expect(try ask(bench, token, ["origin": Self.app]).status == 401)
        #expect(try ask(bench, token, [:]).status == 200)
        let listed = try bench.admin("GET", "tokens").json?["apiTokens"]?.elements
            .first { $0["apiToken"]?.string == token }
        #expect(listed?["origins"]?.count == 0 && listed?["callbacks"] == nil)
    }

    @Test func `a page that may not use the token gets no sign-in address`() throws {
        let bench = try Bench()
        let token = try token(bench, #""origins":["app.example"]"#)
        let target = "/database/1/\(Samples.main)/development/private/users/caller?ckAPIToken="
        func answer(_ origin: String) throws -> Bench.Answer {
            try #require(
                try bench.send(
                    HTTPRequest(
                        method: "GET", target: target + token, headers: ["origin": origin])))
        }
        #expect(try answer("https://evil.example").status == 401)
        let needed = try answer(Self.app)
        #expect(needed.status == 421 && needed.headers[Self.cors] == Self.app)
        let url = try #require(needed.json?["redirectURL"]?.string)
        let path = String(url.dropFirst("https://localhost:8443".count))
        #expect(try bench.send(HTTPRequest(method: "GET", target: path))?.status == 200)
        // Nor is one that puts its own origin there, in the address or in the form.
        let forged = path.replacing(
            WireQuery.encoded(Self.app), with: WireQuery.encoded("https://evil.example"))
        #expect(forged != path)
        #expect(try bench.send(HTTPRequest(method: "GET", target: forged))?.status == 403)
        let form = String(forged.drop { $0 != "?" }.dropFirst()) + "&user=ann"
        let signed = try bench.send(
            HTTPRequest(method: "POST", target: "/_mock/signin", body: Array(form.utf8)))
        #expect(signed?.status == 403 && signed?.text.contains("textarea") == false)
    }

    // MARK: - Callbacks

    private func signIn(
        _ bench: Bench, _ method: String, _ members: [(String, String)]
    ) throws -> Bench.Answer {
        let form = members.map { "\($0)=\(WireQuery.encoded($1))" }.joined(separator: "&")
        return try #require(
            try bench.send(
                HTTPRequest(
                    method: method,
                    target: "/_mock/signin" + (method == "GET" ? "?" + form : ""),
                    body: method == "GET" ? [] : Array(form.utf8))))
    }

    @Test func `a sign-in ends at a callback of the API token, and brings the state back`() throws {
        let bench = try Bench()
        let first = "https://app.example/back?x=1"
        let second = "cloudkit-icloud.com.example.app://"
        let token = try token(bench, #""callbacks":["\#(first)","\#(second)"]"#)
        let state = "a b&c=\"<d>\"\r\nset-cookie: x"
        for (callback, mark) in [(first, "&"), (second, "?")] {
            let fields = [("apiToken", token), ("callback", callback), ("state", state)]
            let page = try signIn(bench, "GET", fields)
            #expect(page.status == 200 && !page.text.contains("<d>"))
            // What the form sends is what stands in its fields.
            #expect(page.text.contains(#"name="callback" value="\#(callback)""#))
            #expect(page.text.contains(#"name="state" value="a b&amp;c=&quot;&lt;d&gt;&quot;"#))
            let done = try signIn(bench, "POST", fields + [("user", "ann")])
            #expect(done.status == 302)
            let location = try #require(done.headers["location"])
            #expect(location.hasPrefix(callback + mark + "ckWebAuthToken="))
            #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let query = WireQuery(String(location.dropFirst(callback.count + 1)))
            #expect(query["state"] == state && query["ckSession"] == query["ckWebAuthToken"])
            let caller = try bench.call(.read(.caller), webToken: query["ckWebAuthToken"] ?? "")
            #expect(caller?.status == 200)
        }
        // The first unless the app names another.
        let plain = try signIn(bench, "POST", [("apiToken", token), ("user", "ann")])
        #expect(plain.headers["location"]?.hasPrefix(first + "&ckWebAuthToken=") == true)
        #expect(plain.headers["location"]?.contains("state") == false)
    }

    @Test(arguments: [
        "https://evil.example/", "https://app.example/back/", "https://app.example/back?x=1",
        "https://APP.example/back", "https://app.example/back#", "//app.example/back",
        "https://app.example/back@evil.example", "javascript:alert(1)", "/back", "https:",
    ])
    func `a callback that the API token does not have is refused, asked for and sent`(
        callback: String
    ) throws {
        let bench = try Bench()
        let token = try token(bench, #""callback":"https://app.example/back""#)
        for token in [token, try bench.apiToken] {
            for method in ["GET", "POST"] {
                let answer = try signIn(
                    bench, method, [("apiToken", token), ("callback", callback), ("user", "ann")])
                #expect(answer.status == 403, "\(method)")
                #expect(answer.headers["location"] == nil && !answer.text.contains("textarea"))
            }
        }
    }

    @Test func `a state that is too long is refused`() throws {
        let bench = try Bench()
        for (count, status) in [(1024, 200), (1025, 400)] {
            let fields = [
                ("apiToken", try bench.apiToken), ("user", "ann"),
                ("state", String(repeating: "s", count: count)),
            ]
            #expect(try signIn(bench, "GET", fields).status == status)
            #expect(try signIn(bench, "POST", fields).status == status)
        }
    }

    @Test(arguments: [
        #""origins":["*"]"#, #""origins":["https://app.example/page"]"#, #""origins":["null"]"#,
        #""origins":["javascript:alert(1)"]"#, #""origins":["a b"]"#, #""origins":[""]"#,
        #""origins":"app.example""#, #""callback":"javascript:alert(1)""#,
        #""callback":"JavaScript://app.example/%0aalert(1)""#, #""callback":"data:text/html,x""#,
        #""callback":"https://app.example/#frag""#, #""callback":"https://""#,
        #""callback":"https:///path""#, #""callback":"app.example/back""#,
        #""callback":"https://app.example/\r\nset-cookie: x=1""#,
        #""callback":"https://app.example/a b""#, #""callbacks":["file:///etc/passwd"]"#,
        #""callback":"https:\\\\evil.example""#, #""callbacks":"https://app.example""#,
    ])
    func `what is no origin and no callback makes no API token`(members: String) throws {
        let bench = try Bench()
        let answer = try bench.admin("POST", "tokens", "{\(members)}")
        #expect(answer.status == 400, "\(answer.text)")
    }

    @Test func `an API token has no more than a hundred origins`() throws {
        let bench = try Bench()
        for (count, status) in [(100, 200), (101, 400)] {
            let list = (0..<count).map { #""a\#($0).example""# }.joined(separator: ",")
            #expect(try bench.admin("POST", "tokens", #"{"origins":[\#(list)]}"#).status == status)
        }
    }

    @Test func `who has signed out can sign in on the page`() throws {
        let bench = try Bench()
        try bench.admin("POST", "tokens", #"{"user":"ann","device":"tv","webToken":"tv-token-1"}"#)
        try bench.admin("POST", "simulate", #"{"event":"sign-out","user":"ann"}"#)
        #expect(try bench.call(.read(.caller))?.status == 421)
        let token = ("apiToken", try bench.apiToken)
        let done = try signIn(bench, "POST", [token, ("user", "ann")])
        let area = try #require(done.text.firstRange(of: "<textarea"))
        let web = String(
            done.text[area.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
        #expect(try bench.call(.read(.caller), webToken: web)?.status == 200)
        // Their other devices stay signed out.
        #expect(try bench.call(.read(.caller), webToken: "tv-token-1")?.status == 421)
    }

    @Test func `a container's own token that was taken away is not made anew`() throws {
        let bench = try Bench { $0.containers = [Samples.main] }
        let listed = try bench.admin("GET", "tokens").json?["apiTokens"]
        let own = listed?.elements.first {
            $0["container"]?.string == Samples.main.rawValue
                && $0["environment"]?.string == "development"
        }
        let token = try #require(own?["apiToken"]?.string)
        #expect(try ask(bench, token, [:]).status == 200)
        #expect(try bench.admin("DELETE", "tokens?apiToken=\(token)").status == 200)
        #expect(try ask(bench, token, [:]).status == 401)
        try bench.admin("POST", "tokens", #"{"apiToken":"\#(token)"}"#)
        #expect(try ask(bench, token, [:]).status == 200)
    }
}
