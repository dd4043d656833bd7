import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// API tokens, web tokens and server-to-server keys.
struct CredentialsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "tokens", answers: ["apiToken", "apiTokens"], "lists the API tokens",
            listTokens),
        AdminEndpoint(
            "POST", "tokens",
            takes: .object([
                "user", "device", "webToken", "apiToken", "container", "environment", "origins",
                "callback", "callbacks",
            ]),
            answers: ["name", "device", "webToken", "apiToken"],
            "creates a web token for a user, or without a user an API token", addToken),
        AdminEndpoint(
            "DELETE", "tokens", query: ["apiToken", "webToken"], answers: ["removed"],
            isStored: false, "removes an API token, or a chosen web token", removeToken),
        AdminEndpoint(
            "GET", "keys", answers: ["keys", "serverKeys"], isStored: false,
            "lists the server-to-server keys", listKeys),
        AdminEndpoint(
            "POST", "keys", takes: .object(["publicKey", "keyID", "container", "environment"]),
            answers: ["keyID"], isStored: false, "registers a server-to-server key", addKey),
        AdminEndpoint(
            "DELETE", "keys", query: [.required("keyID")], answers: ["removed"], isStored: false,
            "removes a server-to-server key", removeKey),
    ]

    // MARK: - Tokens

    private func listTokens() -> RequestOutcome {
        .object { writer in
            writer.member("apiToken", authenticator.defaultAPIToken)
            let own = admin.containerTokens.map {
                ($0.token, Authenticator.APIToken(place: $0.place))
            }
            let tokens = authenticator.apiTokens.merging(own) { known, _ in known }
                .sorted { $0.key < $1.key }
            writer.objects("apiTokens", tokens) { writer, entry in
                writer.member("apiToken", entry.key)
                writer.member("container", entry.value.place?.container.rawValue)
                writer.member("environment", entry.value.place?.environment.rawValue)
                if let origins = entry.value.origins {
                    writer.member("origins", origins.map(\.description))
                }
                if !entry.value.callbacks.isEmpty {
                    writer.member("callbacks", entry.value.callbacks.map(\.description))
                }
            }
        }
    }

    /// A web token if a user is named, otherwise an API token.
    private func addToken() throws(MockError) -> RequestOutcome {
        if let user = try body.text("user") {
            return try addWebToken(
                user: user, device: try body.name("device", of: "device"),
                chosen: try body.text("webToken"))
        }
        let token = Authenticator.APIToken(
            place: try place(), origins: try origins(), callbacks: try callbacks())
        guard token.place != nil || authenticator.takesUnboundTokens else {
            throw MockError("an API token belongs to a container: name one")
        }
        let text = try authenticator.addAPIToken(token, text: try body.text("apiToken"))
        // Unlike a web token it is about nothing in the store.
        return Administration.surviving(.object { $0.member("apiToken", text) })
    }

    private func addWebToken(
        user: String, device: String?, chosen: String?
    ) throws(MockError) -> RequestOutcome {
        try admin.requireAccount(user)
        if let chosen {
            try authenticator.adopt(chosen, of: user, device: device, now: clock.now)
            try storing { () throws(MockStoreError) in try store.reuseTokens { $0 == chosen } }
        }
        return Self.tokens(
            of: user, device: device,
            webToken: chosen ?? admin.issueWebToken(user: user, device: device), authenticator)
    }

    /// The response to a request that creates a web token.
    static func tokens(
        of user: String, device: String? = nil, webToken: String, _ authenticator: Authenticator
    ) -> RequestOutcome {
        .object { writer in
            writer.member("name", user)
            writer.member("device", device)
            writer.member("webToken", webToken)
            writer.member("apiToken", authenticator.defaultAPIToken)
        }
    }

    private func removeToken() throws(MockError) -> RequestOutcome {
        switch (query["apiToken"], query["webToken"]) {
        case (let api?, nil):
            let own = admin.containerTokens.map(\.token)
            guard authenticator.removeAPIToken(api, own: own) else {
                throw MockError(status: 404, "there is no such API token to remove")
            }
            return .object { $0.member("removed", api) }
        case (nil, let web?):
            guard authenticator.webTokens.chosen[web] != nil else {
                throw MockError(status: 404, "there is no such chosen web token")
            }
            // It is unknown from now on: that it was used need not be known.
            try storing { () throws(MockStoreError) in try store.reuseTokens { $0 == web } }
            authenticator.webTokens.remove(web)
            return .object { $0.member("removed", web) }
        default: throw MockError("needs either ?apiToken=TOKEN or ?webToken=TOKEN")
        }
    }

    /// The pages that may use an API token; nil: all.
    private func origins() throws(MockError) -> [AllowedOrigin]? {
        let origins = try body.list(
            "origins", of: "an origin like https://app.example:3000 or a host like app.example"
        ) { AllowedOrigin($0) }
        try requireCount(origins?.count ?? 0, of: "origins")
        return origins
    }

    /// The one under `callback`, then those under `callbacks`.
    private func callbacks() throws(MockError) -> [SignInCallback] {
        let what = "an absolute address without a fragment, such as https://app.example/back"
        var callbacks = try body.list("callbacks", of: what) { SignInCallback($0) } ?? []
        if let text = try body.text("callback") {
            guard let callback = SignInCallback(text) else {
                throw body.refusal("callback must be \(what)")
            }
            callbacks.insert(callback, at: 0)
        }
        try requireCount(callbacks.count, of: "callbacks")
        return callbacks
    }

    private func requireCount(_ count: Int, of what: String) throws(MockError) {
        guard count <= Authenticator.APIToken.listMax else {
            throw MockError("an API token has at most \(Authenticator.APIToken.listMax) \(what)")
        }
    }

    /// A container, in development unless the environment is named.
    private func place() throws(MockError) -> ContainerPlace? {
        let environment: Container.Environment? = try body.choice("environment")
        guard let container = try body.container() else {
            guard environment == nil else { throw body.refusal("needs \"container\"") }
            return nil
        }
        return ContainerPlace(container, environment ?? .development)
    }

    // MARK: - Keys

    private func listKeys() -> RequestOutcome {
        .object { writer in
            writer.member("keys", authenticator.serverKeys.map(\.id))
            writer.objects("serverKeys", authenticator.serverKeys) { writer, key in
                writer.member("keyID", key.id)
                writer.member("container", key.place?.container.rawValue)
                writer.member("environment", key.place?.environment.rawValue)
            }
        }
    }

    private func addKey() throws(MockError) -> RequestOutcome {
        let (pem, id) = (try body.requiredText("publicKey"), try body.text("keyID"))
        let place = try place()
        guard place != nil || authenticator.takesUnboundTokens else {
            throw MockError("a key belongs to a container: name one")
        }
        let added = try authenticator.addKey(pem: pem, id: id, place: place)
        return .object { $0.member("keyID", added) }
    }

    private func removeKey() throws(MockError) -> RequestOutcome {
        guard let id = query["keyID"] else { throw MockError("needs ?keyID=ID") }
        guard authenticator.removeKey(id: id) else {
            throw MockError(status: 404, "there is no key with that keyID")
        }
        return .object { $0.member("removed", id) }
    }
}
