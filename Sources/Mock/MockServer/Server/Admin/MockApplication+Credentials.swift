import CloudModel
import FileSystem
import HTTPServer
import JSON

extension MockApplication {
    /// Admits the tokens and keys that the server is started with.
    func admitChosenCredentials() throws(MockServerError) {
        do throws(AdminError) {
            for token in configuration.apiTokens {
                let like = authenticator.apiTokens[authenticator.defaultAPIToken]
                _ = try authenticator.addAPIToken(
                    like ?? Authenticator.APIToken(), text: token)
            }
            for chosen in configuration.webTokens {
                try requireAccount(chosen.user)
                try adopt(chosen.token, of: chosen.user, device: nil)
            }
            // Those that were used before stay used; of others there is nothing to know.
            let chosen = authenticator.webTokens.chosen
            try storing { () throws(MockStoreError) in
                try store.reuseTokens { chosen[$0] == nil }
            }
            for key in configuration.serverKeys {
                _ = try authenticator.addKey(pem: try text(key.file), id: key.id, place: nil)
            }
        } catch {
            throw MockServerError(.input, error.reason)
        }
    }

    private func text(_ file: String) throws(AdminError) -> String {
        do throws(FileError) {
            return String(decoding: try Files(workingFolder: ".").read(file), as: UTF8.self)
        } catch {
            throw AdminError(error.description)
        }
    }

    private func adopt(_ token: String, of user: String, device: String?) throws(AdminError) {
        let session = authenticator.session(of: user, device: device, now: clock.now)
        guard authenticator.webTokens.adopt(token, user: session) else {
            throw AdminError(
                WebTokenIssuer.mayBeToken(token)
                    ? "there are too many chosen web tokens: remove one"
                    : "a web token has 1 to 1024 printable ASCII characters and no space")
        }
    }

    func listUsers() -> RequestOutcome {
        .object { writer in
            writer.objects("users", store.users) { writer, user in
                writer.member("name", user.name)
                for (name, path) in NameComponents.parts {
                    writer.member(name, user.profile.names[keyPath: path])
                }
                writer.member("emailAddresses", user.profile.emailAddresses)
                writer.member("phoneNumbers", user.profile.phoneNumbers)
                writer.member("discoverable", user.profile.isDiscoverable)
            }
        }
    }

    func add(_ user: MockUser) throws(AdminError) -> RequestOutcome {
        try storing { () throws(MockStoreError) in try store.addUser(user) }
        return tokens(of: user.name, webToken: issueWebToken(user: user.name))
    }

    private func tokens(of user: String, device: String? = nil, webToken: String) -> RequestOutcome
    {
        .object { writer in
            writer.member("name", user)
            writer.member("device", device)
            writer.member("webToken", webToken)
            writer.member("apiToken", authenticator.defaultAPIToken)
        }
    }

    func listTokens() -> RequestOutcome {
        .object { writer in
            writer.member("apiToken", authenticator.defaultAPIToken)
            let own = containerTokens.map { ($0.token, Authenticator.APIToken(place: $0.place)) }
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

    func addWebToken(
        user: String, device: String?, chosen: String?
    ) throws(AdminError) -> RequestOutcome {
        try requireAccount(user)
        if let chosen {
            try adopt(chosen, of: user, device: device)
            try storing { () throws(MockStoreError) in try store.reuseTokens { $0 == chosen } }
        }
        return tokens(
            of: user, device: device,
            webToken: chosen ?? issueWebToken(user: user, device: device))
    }

    func add(_ token: Authenticator.APIToken, chosen: String?) throws(AdminError) -> RequestOutcome
    {
        guard token.place != nil || authenticator.takesUnboundTokens else {
            throw AdminError("an API token belongs to a container: name one")
        }
        let text = try authenticator.addAPIToken(token, text: chosen)
        return .object { $0.member("apiToken", text) }
    }

    /// Takes a token away of either kind.
    func removeToken(api: String?, web: String?) throws(AdminError) -> RequestOutcome {
        if let api {
            guard authenticator.removeAPIToken(api, own: containerTokens.map(\.token)) else {
                throw AdminError(status: 404, "there is no such API token to remove")
            }
            return .object { $0.member("removed", api) }
        }
        guard let web, authenticator.webTokens.chosen[web] != nil else {
            throw AdminError(status: 404, "there is no such chosen web token")
        }
        // It is unknown from now on: that it was used need not be known.
        try storing { () throws(MockStoreError) in try store.reuseTokens { $0 == web } }
        authenticator.webTokens.remove(web)
        return .object { $0.member("removed", web) }
    }

    func listKeys() -> RequestOutcome {
        .object { writer in
            writer.member("keys", authenticator.serverKeys.map(\.id))
            writer.objects("serverKeys", authenticator.serverKeys) { writer, key in
                writer.member("keyID", key.id)
                writer.member("container", key.place?.container.rawValue)
                writer.member("environment", key.place?.environment.rawValue)
            }
        }
    }

    func addKey(
        pem: String, id: String?, _ place: ContainerPlace?
    ) throws(AdminError) -> RequestOutcome {
        guard place != nil || authenticator.takesUnboundTokens else {
            throw AdminError("a key belongs to a container: name one")
        }
        let id = try authenticator.addKey(pem: pem, id: id, place: place)
        return .object { $0.member("keyID", id) }
    }

    func removeKey(id: String) throws(AdminError) -> RequestOutcome {
        guard authenticator.removeKey(id: id) else {
            throw AdminError(status: 404, "there is no key with that keyID")
        }
        return .object { $0.member("removed", id) }
    }
}
