import CloudModel
import CloudWire
package import HTTPServer
import MockFaults
package import MockStore

/// Signs a user in: only with the API token that the page was opened with, only from the server's own page, and the web
/// token goes only to the page that began it, or to a callback of the API token.
package final class SignInService {
    package static let path = "/_mock/signin"
    /// The longest body; the least that any route takes.
    package static let formBytesMax = 8192

    private let store: MockStore
    private let clock: ServerClock
    private let authenticator: Authenticator
    private let address: ServerAddress

    package init(
        _ store: MockStore, _ clock: ServerClock, _ authenticator: Authenticator,
        _ address: ServerAddress
    ) {
        self.store = store
        self.clock = clock
        self.authenticator = authenticator
        self.address = address
    }

    /// `GET /_mock/signin` shows the users; `POST` signs one in.
    package func respond(to request: HTTPRequest) throws(MockError) -> RequestOutcome {
        switch request.method {
        case "GET", "HEAD":
            let query = WireQuery(request.query ?? "")
            let origin = try Self.origin(query)
            try refuseForeign(request, allowing: origin)
            let form = try signInForm(query)
            return Self.page(
                SignInPage.choose(
                    users: store.users, form, container: query["container"] ?? ""))
        case "POST":
            try refuseForeign(request, allowing: nil)
            let form = WireQuery(
                String(decoding: request.body.map { $0 == 0x2B ? 0x20 : $0 }, as: UTF8.self))
            let goal = try signInForm(form)
            guard let user = form["user"], store.hasAccount(user) else {
                throw MockError("choose one of the users")
            }
            do throws(MockStoreError) {
                try store.signInBrowser(of: user)
            } catch {
                throw MockError(error)
            }
            let token = authenticator.issueWebToken(of: user, now: clock.now)
            guard let callback = goal.callback else {
                return Self.page(SignInPage.done(user: user, token: token, goal))
            }
            return .respond(
                HTTPResponse(
                    status: 302,
                    headers: [
                        "location": callback.address(token: token, state: goal.state),
                        "cache-control": "no-store",
                    ]), after: .zero)
        default: throw MockError(status: 405, "use GET, POST", allow: "GET, POST")
        }
    }

    /// Refuses what a page of another origin sends. A browser says where a request comes from; other
    /// programs do not, and need the API token all the same.
    private func refuseForeign(
        _ request: HTTPRequest, allowing other: WebOrigin?
    ) throws(MockError) {
        let source =
            request["origin"].map { WebOrigin($0) }
            ?? request["referer"].map { WebOrigin(ofAddress: $0) }
        if let source {
            guard let source, address.isOwn(source, request) || source == other else {
                throw MockError(
                    status: 403,
                    "a page of another origin cannot sign in here; start with a request of its "
                        + "own, or open the address by hand")
            }
        }
        if request.method == "POST", request.isOfOtherOrigin {
            throw MockError(status: 403, "only the server's own page can sign in")
        }
    }

    /// Who began a sign-in and where its token goes, held against what the API token is good for: the
    /// same when the page is asked for and when its form comes.
    private func signInForm(_ query: WireQuery) throws(MockError) -> SignInPage.Form {
        guard let text = query["apiToken"], let token = authenticator.apiTokens[text] else {
            throw MockError(
                status: 401, "the API token is unknown; open the redirectURL of a 421 response")
        }
        let origin = try Self.origin(query)
        if let origin, !token.admits(origin) {
            throw MockError(status: 403, "the API token does not allow pages of \(origin)")
        }
        var callback = token.callbacks.first
        if let asked = query["callback"], !asked.isEmpty {
            guard let known = token.callbacks.first(where: { $0.description == asked }) else {
                throw MockError(
                    status: 403, "the callback is not among those of the API token")
            }
            callback = known
        }
        let state = query["state"].flatMap { $0.isEmpty ? nil : $0 }
        guard state?.utf8.count ?? 0 <= SignInPage.Form.stateBytesMax else {
            throw MockError("state has more than \(SignInPage.Form.stateBytesMax) bytes")
        }
        return SignInPage.Form(apiToken: text, origin: origin, callback: callback, state: state)
    }

    /// The origin that a sign-in was begun for; nil when no page began it.
    private static func origin(_ form: WireQuery) throws(MockError) -> WebOrigin? {
        guard let text = form["origin"], !text.isEmpty else { return nil }
        guard let origin = WebOrigin(text) else {
            throw MockError("origin must look like https://app.example:3000")
        }
        return origin
    }

    private static func page(_ text: String) -> RequestOutcome {
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
