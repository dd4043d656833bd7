import CloudModel
import CloudWire
import JSON
import MockService
import MockStore

/// The users.
struct UsersResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint("GET", "users", answers: ["users"], "lists the users", list),
        AdminEndpoint(
            "POST", "users", takes: .object(MockUser.keys),
            answers: ["name", "webToken", "apiToken"], "creates a user, or changes one", add),
    ]

    private func list() -> RequestOutcome {
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

    private func add() throws(MockError) -> RequestOutcome {
        let user = try MockUser(body)
        try storing { () throws(MockStoreError) in try store.addUser(user) }
        return CredentialsResource.tokens(
            of: user.name, webToken: admin.issueWebToken(user: user.name), authenticator)
    }
}
