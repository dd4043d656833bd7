package import Basics
package import CloudModel
package import CloudWire
package import HTTPServer
import MockFaults
package import MockStore
import OpenSSL

/// The credentials that a server accepts: it says who sends a request.
package final class Authenticator {
    /// A server-to-server key.
    package struct Key {
        let publicKey: P256.PublicKey
        let place: ContainerPlace?
    }

    /// A web token that was taken, and what it was given out for.
    package struct Session: Sendable, Hashable {
        let token: WebTokenID
        let user: String
    }

    /// Who it is, and by which web token.
    package struct Result: Sendable, Hashable {
        package let caller: Caller
        package let session: Session?
    }

    /// The API token every server has.
    package let defaultAPIToken: String
    package private(set) var apiTokens: [String: APIToken] {
        didSet { hasOrigins = apiTokens.values.contains { $0.origins != nil } }
    }
    /// Whether there are tokens that not every page may use.
    private var hasOrigins = false
    /// Tokens that were taken away, which would be made anew otherwise.
    private var revoked: Set<String> = []
    private var keys: [String: Key] = [:]
    package var webTokens: WebTokenIssuer
    package var checksClockSkew: Bool
    /// Whether API tokens and keys of no container are taken in every one.
    package var takesUnboundTokens = true
    private let credentialKey: CredentialKey
    /// Where the sign-in page sends the browser for API tokens that have no callback of their own.
    private let callback: SignInCallback?
    /// No other server with this key has the same number, so that none makes what this one makes.
    private let start: Int64
    /// API tokens and key IDs made so far.
    private var made = 0
    /// Sign-ins so far that name no device.
    private var signIns = 0

    /// API tokens and keys that can be kept at once.
    package static let credentialsMax = 10_000

    /// - Parameter start: Larger than of any other server with this key.
    package init(
        _ key: CredentialKey, start: Int64, webTokens: WebTokenIssuer, checksClockSkew: Bool,
        callback: String? = nil
    ) throws(MockError) {
        credentialKey = key
        self.start = start
        defaultAPIToken = Hexadecimal.encode(key.derived(for: "API token"))
        self.callback = try callback.map { text throws(MockError) in
            guard let callback = SignInCallback(text) else {
                throw MockError("the callback \"\(text)\" is not a valid address")
            }
            return callback
        }
        apiTokens = [defaultAPIToken: APIToken(callbacks: self.callback.map { [$0] } ?? [])]
        self.webTokens = webTokens
        self.checksClockSkew = checksClockSkew
    }

    /// The API token that a container has in one environment without being asked for.
    package func apiToken(of place: ContainerPlace) -> String {
        Hexadecimal.encode(
            credentialKey.derived(
                for: "API token of \(place.container) \(place.environment.rawValue)"))
    }

    /// What an API token is good for; nil when it is not known.
    private func apiToken(_ text: String, at place: ContainerPlace) -> APIToken? {
        if let known = apiTokens[text] { return known }
        guard text == apiToken(of: place), !revoked.contains(text) else { return nil }
        let token = APIToken(place: place, callbacks: callback.map { [$0] } ?? [])
        apiTokens[text] = token
        return token
    }

    /// A new API token.
    package func addAPIToken(
        _ token: APIToken, text: String? = nil
    ) throws(MockError) -> String {
        let text = try credential(text, "API token", known: apiTokens.count)
        apiTokens[text] = token
        revoked.remove(text)
        return text
    }

    /// Removes a token that was added; false if it does not exist.
    ///
    /// - Parameter own: The tokens of containers that were not used yet.
    package func removeAPIToken(_ text: String, own: [String]) -> Bool {
        let isKnown = apiTokens[text] != nil || own.contains(text)
        guard text != defaultAPIToken, isKnown, revoked.count < Self.credentialsMax else {
            return false
        }
        apiTokens[text] = nil
        revoked.insert(text)
        return true
    }

    /// Whether a token was taken away.
    package func isRevoked(_ text: String) -> Bool { revoked.contains(text) }

    /// Whether the page that sends a request may read what it is answered with.
    func admitsReader(_ request: HTTPRequest, apiToken: () -> String?) -> Bool {
        guard hasOrigins, let token = apiToken().flatMap({ apiTokens[$0] }) else { return true }
        return token.admits(request)
    }

    /// Admits a server-to-server key.
    ///
    /// - Parameter pem: The public key, with or without the lines around it.
    package func addKey(
        pem: String, id: String?, place: ContainerPlace?
    ) throws(MockError) -> String {
        let id = try credential(id, "keyID", known: keys.count)
        do {
            let key =
                pem.contains("-----")
                ? try P256.PublicKey(pem: Array(pem.utf8)) : try P256.PublicKey(base64: pem)
            keys[id] = Key(publicKey: key, place: place)
        } catch {
            throw MockError(error.reason)
        }
        return id
    }

    /// The text chosen for an API token or a key's ID, or a new one.
    private func credential(
        _ chosen: String?, _ what: String, known: Int
    ) throws(MockError) -> String {
        guard known < Self.credentialsMax else {
            throw MockError("there can be at most \(Self.credentialsMax) of \(what)")
        }
        guard let chosen else {
            made += 1
            return Hexadecimal.encode(credentialKey.derived(for: "credential \(start) \(made)"))
        }
        guard WebTokenIssuer.mayBeToken(chosen) else {
            throw MockError("\(what) has 1 to 1024 printable ASCII characters and no space")
        }
        return chosen
    }

    /// The keys admitted, by their IDs.
    package var serverKeys: [(id: String, place: ContainerPlace?)] {
        keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value.place) }
    }

    /// Removes a key; false if it does not exist.
    package func removeKey(id: String) -> Bool { keys.removeValue(forKey: id) != nil }

    /// Who sends a request, in the order of checks that the service is believed to have.
    ///
    /// - Parameters:
    ///   - isAccount: Whether there is a user of a name.
    ///   - isSpent: Whether a web token was used; asked where each is good for one request only.
    ///   - isExpired: Whether a web token was taken back, by its number.
    ///   - signInURL: Where a user can sign in; only asked for in a 421 answer.
    /// - Throws: `CloudError` with `authenticationFailed` or `authenticationRequired`.
    package func authenticate(
        _ request: HTTPRequest, _ route: WireRoute, now: Timestamp,
        isAccount: (_ name: String) -> Bool, isSpent: (WebTokenID) -> Bool,
        isExpired: (_ number: Int64, _ user: String, _ device: String?) -> Bool,
        signInURL: (_ apiToken: String) -> String
    ) throws(CloudError) -> Result {
        if let id = request["x-apple-cloudkit-request-keyid"] {
            try checkSignature(request, route, id: id, now: now)
            guard route.address.scope == .public else {
                throw Self.failed("a server-to-server key reaches the public database only")
            }
            return Result(caller: .serverKey(keys[id] == nil ? id.lowercased() : id), session: nil)
        }
        guard let text = route.query.apiToken else {
            throw Self.failed("no credential was sent")
        }
        let place = ContainerPlace(route.address)
        guard let apiToken = apiToken(text, at: place) else {
            throw Self.failed("the API token is unknown, or for another container")
        }
        guard isOf(apiToken.place, route) else {
            throw Self.failed("the API token is for another container or environment")
        }
        guard apiToken.admits(request) else {
            throw Self.failed("the API token does not allow pages of this origin")
        }
        guard let web = route.query.webAuthToken, !web.isEmpty else {
            guard route.address.scope == .public, route.operation.facts.credential == .apiToken
            else {
                throw Self.signInNeeded(signInURL(text), "request needs authorization").under(
                    "api-token-alone")
            }
            return Result(caller: .anonymous, session: nil)
        }
        let token: WebTokenIssuer.Reading
        do throws(WebTokenIssuer.Refusal) {
            token = try webTokens.read(web, now: now, isSpent: isSpent)
        } catch {
            switch error {
            case .unknown: throw Self.failed("the web token is unknown")
            case .spent:
                throw Self.signInNeeded(signInURL(text), "the web token was used before").under(
                    "spent-web-token")
            case .expired:
                throw Self.signInNeeded(signInURL(text), "the web token has expired").under(
                    "expired-web-token")
            }
        }
        let caller = Self.caller(of: token.user)
        guard case .user(let user, let device) = caller, isAccount(user) else {
            throw Self.failed("the web token is unknown")
        }
        guard !isExpired(token.number, user, device) else {
            throw Self.signInNeeded(signInURL(text), "the web token has expired").under(
                "expired-web-token")
        }
        return Result(caller: caller, session: Session(token: token.id, user: token.user))
    }

    /// Whether what belongs to a place is good for a request; what belongs to none, where that is
    /// taken.
    private func isOf(_ place: ContainerPlace?, _ route: WireRoute) -> Bool {
        guard let place else { return takesUnboundTokens }
        return place == ContainerPlace(route.address)
    }

    /// What a web token of a new sign-in is given out for: an account, one device of it, and where no
    /// device is named a sign-in of its own. No name holds a slash.
    package func session(of user: String, device: String?, now: Timestamp) -> String {
        if let device { return "\(user)/\(device)" }
        signIns += 1
        return "\(user)//\(String(now.milliseconds, radix: 36)).\(start).\(signIns)"
    }

    /// A web token of a new sign-in, see ``session(of:device:now:)``.
    package func issueWebToken(of user: String, device: String? = nil, now: Timestamp) -> String {
        webTokens.issue(user: session(of: user, device: device, now: now), now: now)
    }

    /// Accepts a chosen web token, as of a new sign-in.
    package func adopt(
        _ token: String, of user: String, device: String?, now: Timestamp
    ) throws(MockError) {
        let session = session(of: user, device: device, now: now)
        guard webTokens.adopt(token, user: session) else {
            throw MockError(
                WebTokenIssuer.mayBeToken(token)
                    ? "there are too many chosen web tokens: remove one"
                    : "a web token has 1 to 1024 printable ASCII characters and no space")
        }
    }

    private static func caller(of session: String) -> Caller {
        guard let slash = session.firstIndex(of: "/") else { return .user(session) }
        let device = session[session.index(after: slash)...]
        return .user(
            String(session[..<slash]), device: device.hasPrefix("/") ? nil : String(device))
    }

    private func checkSignature(
        _ request: HTTPRequest, _ route: WireRoute, id: String, now: Timestamp
    ) throws(CloudError) {
        guard let key = keys[id] ?? keys[id.lowercased()],
            isOf(key.place, route), let date = request["x-apple-cloudkit-request-iso8601date"],
            let encoded = request["x-apple-cloudkit-request-signaturev1"],
            encoded.utf8.count <= 256, let signature = Base64.decode(encoded),
            let moment = Timestamp(iso8601: date)
        else { throw Self.failed("the signature is not valid") }
        if checksClockSkew {
            let skew = now.since(moment)
            guard skew <= WireLimits.signatureSkewMax, skew >= .zero - WireLimits.signatureSkewMax
            else { throw Self.failed("the signature is not valid") }
        }
        let messages = RequestSigning.acceptedMessages(
            date: date, bodyHash: Base64.encode(SHA256.hash(request.body)), path: request.path,
            query: request.query ?? "")
        guard
            messages.contains(where: { key.publicKey.verify(signature, of: Array($0.utf8)) })
        else { throw Self.failed("the signature is not valid") }
    }

    private static func failed(_ reason: String) -> CloudError {
        CloudError(.authenticationFailed, reason: reason)
    }

    private static func signInNeeded(_ url: String, _ reason: String) -> CloudError {
        CloudError(.authenticationRequired, reason: reason, redirectURL: url)
    }
}
