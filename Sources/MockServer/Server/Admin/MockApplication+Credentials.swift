import CloudModel
import CloudWire
import HTTPServer
import JSON

extension MockApplication {
    func listUsers() throws(AdminError) -> Outcome {
        adminAnswer { writer in
            writer.key("users")
            writer.beginArray()
            for user in store.users {
                writer.beginObject()
                writer.member("name", user.name)
                if let name = user.givenName { writer.member("givenName", name) }
                if let name = user.familyName { writer.member("familyName", name) }
                writer.endObject()
            }
            writer.endArray()
        }
    }

    func addUser(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        try ask.body.allow(["name", "givenName", "familyName"])
        let name = try ask.body.requiredText("name")
        guard MockUser.isValid(name: name) else {
            throw AdminError("a user's name has 1 to 64 letters, digits or any of . - _ @")
        }
        let user = MockUser(
            name, givenName: try ask.body.text("givenName"),
            familyName: try ask.body.text("familyName"))
        try storing { () throws(MockStoreError) in try store.addUser(user) }
        return signedIn(name)
    }

    private func signedIn(_ user: String, device: String? = nil) -> Outcome {
        let token = issueWebToken(user: user, device: device)
        return adminAnswer { writer in
            writer.member("name", user)
            if let device { writer.member("device", device) }
            writer.member("webToken", token)
            writer.member("apiToken", authenticator.defaultAPIToken)
        }
    }

    func listTokens() -> Outcome {
        adminAnswer { writer in
            writer.member("apiToken", authenticator.defaultAPIToken)
            writer.key("apiTokens")
            writer.beginArray()
            for (text, token) in authenticator.apiTokens.sorted(by: { $0.key < $1.key }) {
                writer.beginObject()
                writer.member("apiToken", text)
                if let container = token.container {
                    writer.member("container", container.rawValue)
                }
                if let callback = token.callback { writer.member("callback", callback) }
                writer.endObject()
            }
            writer.endArray()
        }
    }

    /// A web token where a user is named, an API token otherwise.
    func addToken(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        let body = ask.body
        try body.allow(["user", "device", "webToken", "apiToken", "container", "callback"])
        if let user = try body.text("user") {
            guard store.hasAccount(user) else { throw AdminError("there is no user \"\(user)\"") }
            let device = try body.text("device")
            if let device, !MockUser.isValid(name: device) {
                throw AdminError("a device's name has 1 to 64 letters, digits or any of . - _ @")
            }
            guard let chosen = try body.text("webToken") else {
                return signedIn(user, device: device)
            }
            let session = Authenticator.session(of: user, device: device)
            guard authenticator.webTokens.adopt(chosen, user: session) else {
                throw AdminError("a web token has 10 to 1024 letters, digits or any of + / = _")
            }
            return adminAnswer { writer in
                writer.member("name", user)
                writer.member("webToken", chosen)
                writer.member("apiToken", authenticator.defaultAPIToken)
            }
        }
        var token = Authenticator.APIToken()
        token.container = try Self.container(body)
        token.callback = try body.text("callback")
        let text = try authenticator.addAPIToken(token, text: try body.text("apiToken"))
        return adminAnswer { $0.member("apiToken", text) }
    }

    func listKeys() -> Outcome {
        adminAnswer { writer in
            writer.key("keys")
            writer.beginArray()
            for id in authenticator.keyIDs { writer.string(id) }
            writer.endArray()
        }
    }

    func addKey(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        try ask.body.allow(["publicKey", "keyID", "container"])
        let id = try authenticator.addKey(
            pem: try ask.body.requiredText("publicKey"), id: try ask.body.text("keyID"),
            container: try Self.container(ask.body))
        return adminAnswer { $0.member("keyID", id) }
    }

    func removeKey(_ ask: AdminRequest) throws(AdminError) -> Outcome {
        guard let id = ask.query["keyID"], authenticator.removeKey(id: id) else {
            throw AdminError(status: 404, "there is no key of that keyID")
        }
        return adminAnswer { $0.member("removed", id) }
    }

    static func container(_ value: JSONValue) throws(AdminError) -> Container.ID? {
        guard let text = try value.text("container") else { return nil }
        guard let container = Container.ID(text) else {
            throw AdminError(
                "container \"\(text)\" " + (Container.ID.problem(in: text) ?? "is malformed"))
        }
        return container
    }

    static func environment(_ value: JSONValue) throws(AdminError) -> Container.Environment? {
        guard let text = try value.text("environment") else { return nil }
        guard let environment = Container.Environment(rawValue: text) else {
            throw AdminError("environment must be development or production")
        }
        return environment
    }
}
