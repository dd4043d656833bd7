import CloudModel
import CloudWire
import HTTPServer

/// Signing a user in: only with the API token that the page was opened with, only from the server's
/// own page, and the token goes only to the page that began it.
extension MockApplication {
    static let signInPath = "/_mock/signin"
    /// The least that any route takes.
    static let formBytesMax = 8192

    /// Where a user can sign in for an app.
    ///
    /// - Parameter request: The one that needs a user: the page is at the host that it came to, and
    ///   posts the token to its `Origin`.
    func signInURL(
        apiToken: String, container: Container.ID, _ request: HTTPRequest
    ) -> String {
        let origin = request["origin"]
        return (ownURL(asCalledBy: request) ?? baseURL) + Self.signInPath + "?container="
            + WireQuery.encoded(container.rawValue)
            + "&apiToken=" + WireQuery.encoded(apiToken)
            + (origin.flatMap { WebOrigin($0) }
                .map { "&origin=" + WireQuery.encoded($0.description) } ?? "")
    }

    /// `GET /_mock/signin` shows the users; `POST` signs one in.
    func signIn(_ request: HTTPRequest) throws(AdminError) -> Outcome {
        switch request.method {
        case "GET", "HEAD":
            let query = WireQuery(request.query ?? "")
            let origin = try Self.origin(query)
            try refuseForeign(request, allowing: origin)
            _ = try grant(query)
            return Self.page(
                SignInPage.choose(
                    users: store.users, apiToken: query["apiToken"] ?? "",
                    container: query["container"] ?? "", origin: origin))
        case "POST":
            try refuseForeign(request, allowing: nil)
            let form = WireQuery(
                String(decoding: request.body.map { $0 == 0x2B ? 0x20 : $0 }, as: UTF8.self))
            let grant = try grant(form)
            let origin = try Self.origin(form)
            guard let user = form["user"], store.hasAccount(user) else {
                throw AdminError("choose one of the users")
            }
            let token = issueWebToken(user: user)
            guard let callback = grant.callback else {
                return Self.page(SignInPage.done(user: user, token: token, origin: origin))
            }
            let escaped = WireQuery.encoded(token)
            let mark = callback.contains("?") ? "&" : "?"
            return .respond(
                HTTPResponse(
                    status: 302,
                    headers: [
                        "location": callback + mark
                            + "ckWebAuthToken=\(escaped)&ckSession=\(escaped)",
                        "cache-control": "no-store",
                    ]), after: .zero)
        default: throw AdminError(status: 405, "use GET, POST", allow: "GET, POST")
        }
    }

    /// The server's address as a client knows it, whose port another may have forwarded; nil when it
    /// calls by a name that the certificate lacks.
    private func ownURL(asCalledBy request: HTTPRequest) -> String? {
        guard let host = request["host"], let origin = WebOrigin("https://" + host) else {
            return nil
        }
        let isCertified = configuration.certifiedNames.contains { name in
            let name = name.lowercased()
            guard name.hasPrefix("*.") else { return name == origin.host }
            return origin.host.drop { $0 != "." } == name.dropFirst()
        }
        return isCertified ? origin.description : nil
    }

    /// Whether a page of `origin` is one of ours, under any name of the server, or under the one that
    /// a request came to.
    func isOwn(_ origin: WebOrigin, _ request: HTTPRequest) -> Bool {
        if origin.description == ownURL(asCalledBy: request) { return true }
        guard let port = baseURL.lastIndex(of: ":").map({ baseURL[$0...] }) else { return false }
        return origin.description == baseURL
            || configuration.names.contains {
                let host = "https://" + ($0.contains(":") ? "[\($0)]" : $0).lowercased()
                return origin.description == host + port
                    || port == ":443" && origin.description == host
            }
    }

    /// Refuses what a page of another origin sends. A browser says where a request comes from; other
    /// programs do not, and need the API token all the same.
    private func refuseForeign(
        _ request: HTTPRequest, allowing other: WebOrigin?
    ) throws(AdminError) {
        let source =
            request["origin"].map { WebOrigin($0) }
            ?? request["referer"].map { WebOrigin(ofAddress: $0) }
        if let source {
            guard let source, isOwn(source, request) || source == other else {
                throw AdminError(
                    status: 403,
                    "a page from elsewhere cannot sign in here; begin with a request "
                        + "of its own, or open the address by hand")
            }
        }
        if request.method == "POST", let site = request["sec-fetch-site"],
            site != "same-origin", site != "none"
        {
            throw AdminError(status: 403, "only the server's own page can sign in")
        }
    }

    /// What the API token of a form is good for.
    private func grant(_ form: WireQuery) throws(AdminError) -> Authenticator.APIToken {
        guard let text = form["apiToken"], let token = authenticator.apiTokens[text] else {
            throw AdminError(
                status: 401, "the API token is not known; open the redirectURL of a 421 answer")
        }
        return token
    }

    /// The origin that a sign-in was begun for; nil when no page began it.
    private static func origin(_ form: WireQuery) throws(AdminError) -> WebOrigin? {
        guard let text = form["origin"], !text.isEmpty else { return nil }
        guard let origin = WebOrigin(text) else {
            throw AdminError("origin must look like https://app.example:3000")
        }
        return origin
    }

    private static func page(_ text: String) -> Outcome {
        .respond(
            HTTPResponse(
                status: 200,
                headers: [
                    "content-type": "text/html; charset=UTF-8", "cache-control": "no-store",
                    "content-security-policy": SignInPage.policy,
                    // With no-referrer a browser would send its form with the origin "null".
                    "referrer-policy": "same-origin",
                ], body: Array(text.utf8)), after: .zero)
    }
}
