import CloudClient
import CloudWire
package import HTTPServer

/// One sign-in's talk with the browser on this machine, request by request.
///
/// The address that opens the first page is shown to other programs on the way to the browser, so it
/// works once, and what proves that a token comes from that page, the state, is in the page and in a
/// cookie only. A token comes in one of two ways, as the API token was made: the sign-in page posts it to
/// ours, which sends it on, or sends the browser to ``callbackPath``.
package struct LoopbackDialog {
    /// What to answer, and the token that came with the request, if one did.
    package struct Answer {
        package let response: HTTPResponse
        package var token: String?
    }

    package static let callbackPath = "/callback"
    package static let tokenPath = "/token"
    package static let cookie = "cksweep-state"
    /// Requests that are refused before the talk is over: nobody goes on guessing.
    package static let refusalsMax = 50

    private enum Stage { case waiting, open, over }

    /// `http://127.0.0.1:PORT`
    package let origin: String
    /// The way to the first page.
    package let ticket: String
    private let state: String
    private let page: String
    private var stage = Stage.waiting
    private var refusals = 0

    /// - Parameters:
    ///   - signInURL: Where the service has the person sign in.
    ///   - subject: What for, of the characters of a container's name.
    ///   - ticket: As hard to guess as `state`; neither is empty, both are hexadecimal.
    package init(
        origin: String, signInURL: String, for subject: String, ticket: String, state: String
    ) {
        self.origin = origin
        self.ticket = ticket
        self.state = state
        page = LoopbackPage.begin(subject, signInURL: signInURL, state: state)
    }

    /// Whether so much was refused that no token is taken any more.
    package var isGivenUp: Bool { refusals >= Self.refusalsMax }

    /// The address to open in the browser.
    package var address: String { "\(origin)/\(ticket)" }

    package mutating func answer(_ request: HTTPRequest) -> Answer {
        guard request["host"].map({ "http://\($0)" }) == origin else {
            // A name of somebody else's that leads here would let their page read ours.
            return refusal(403, "This address accepts connections from 127.0.0.1 only.")
        }
        guard stage != .over, !isGivenUp else {
            return refusal(410, "This sign-in has ended.")
        }
        switch (request.method, request.path) {
        case ("GET", "/" + ticket): return first()
        case ("GET", Self.callbackPath): return callback(request)
        case ("POST", Self.tokenPath): return posted(request)
        case (_, "/" + ticket), (_, Self.callbackPath), (_, Self.tokenPath):
            return refusal(405, "This request is not supported here.")
        default: return refusal(404, "There is no page here.")
        }
    }

    private mutating func first() -> Answer {
        guard stage == .waiting else {
            return refusal(410, "This address was opened before. Start the sign-in again.")
        }
        stage = .open
        var response = Self.page(200, page)
        response.headers.append(
            "set-cookie",
            unique: "\(Self.cookie)=\(state); HttpOnly; SameSite=Lax; Path=\(Self.callbackPath)")
        return Answer(response: response)
    }

    private mutating func callback(_ request: HTTPRequest) -> Answer {
        let query = WireQuery(request.query ?? "")
        let cookies = (request["cookie"] ?? "").split(separator: ";")
            .map { $0.drop { $0 == " " } }
        let isOurs =
            cookies.contains { $0 == "\(Self.cookie)=\(state)" }
            && (query["state"].map { $0 == state } ?? true)
        return token(query, isOurs: isOurs)
    }

    private mutating func posted(_ request: HTTPRequest) -> Answer {
        let form = WireQuery(String(decoding: request.body, as: UTF8.self))
        return token(form, isOurs: request["origin"] == origin && form["state"] == state)
    }

    private mutating func token(_ form: WireQuery, isOurs: Bool) -> Answer {
        guard stage == .open, isOurs else {
            return refusal(403, "This response does not belong to the current sign-in.")
        }
        guard let token = form.webAuthToken, WebAuthTokenFile.isToken(token) else {
            return refusal(400, "This response has no web auth token.")
        }
        stage = .over
        return Answer(response: Self.page(200, LoopbackPage.done), token: token)
    }

    private mutating func refusal(_ status: Int, _ text: String) -> Answer {
        refusals += 1
        return Answer(response: Self.page(status, LoopbackPage.said(text)))
    }

    private static func page(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "content-type": "text/html; charset=UTF-8", "cache-control": "no-store",
                "content-security-policy": LoopbackPage.policy, "referrer-policy": "origin",
                "x-content-type-options": "nosniff",
            ], body: Array(text.utf8))
    }
}
