import CloudModel
import HTTPServer
import JSON

extension MockApplication {
    func listUsers() -> Outcome {
        adminAnswer { writer in
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

    func add(_ user: MockUser) throws(AdminError) -> Outcome {
        try storing { () throws(MockStoreError) in try store.addUser(user) }
        return tokens(of: user.name, webToken: issueWebToken(user: user.name))
    }

    private func tokens(of user: String, device: String? = nil, webToken: String) -> Outcome {
        adminAnswer { writer in
            writer.member("name", user)
            writer.member("device", device)
            writer.member("webToken", webToken)
            writer.member("apiToken", authenticator.defaultAPIToken)
        }
    }

    func listTokens() -> Outcome {
        adminAnswer { writer in
            writer.member("apiToken", authenticator.defaultAPIToken)
            let tokens = authenticator.apiTokens.sorted { $0.key < $1.key }
            writer.objects("apiTokens", tokens) { writer, entry in
                writer.member("apiToken", entry.key)
                writer.member("container", entry.value.container?.rawValue)
                writer.member("callback", entry.value.callback)
            }
        }
    }

    func addWebToken(
        user: String, device: String?, chosen: String?
    ) throws(AdminError) -> Outcome {
        try requireAccount(user)
        if let chosen {
            let session = Authenticator.session(of: user, device: device)
            guard authenticator.webTokens.adopt(chosen, user: session) else {
                throw AdminError("a web token has 10 to 1024 letters, digits or any of + / = _")
            }
        }
        return tokens(
            of: user, device: device,
            webToken: chosen ?? issueWebToken(user: user, device: device))
    }

    func add(_ token: Authenticator.APIToken, chosen: String?) throws(AdminError) -> Outcome {
        let text = try authenticator.addAPIToken(token, text: chosen)
        return adminAnswer { $0.member("apiToken", text) }
    }

    func listKeys() -> Outcome { adminAnswer { $0.member("keys", authenticator.keyIDs) } }

    func addKey(
        pem: String, id: String?, container: Container.ID?
    ) throws(AdminError) -> Outcome {
        let id = try authenticator.addKey(pem: pem, id: id, container: container)
        return adminAnswer { $0.member("keyID", id) }
    }

    func removeKey(id: String) throws(AdminError) -> Outcome {
        guard authenticator.removeKey(id: id) else {
            throw AdminError(status: 404, "there is no key of that keyID")
        }
        return adminAnswer { $0.member("removed", id) }
    }
}
