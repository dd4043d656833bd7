import Basics
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// The namespaces of the server.
struct NamespacesResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "namespaces", answers: ["namespaces"], "lists the namespaces of the server",
            list),
        AdminEndpoint(
            "POST", "namespaces",
            takes: .object([
                Shape.Member("name", AdminVocabulary.namespace).required,
                Shape.Member("fork", AdminVocabulary.namespace), "snapshot",
            ]),
            answers: ["name", "url", "apiToken", "apiTokens", "webTokens"], isStored: false,
            "creates a namespace with the server's initial state, or with the state of another "
                + "namespace", add),
        AdminEndpoint(
            "DELETE", "namespaces",
            query: [Shape.Member("name", AdminVocabulary.namespace).required],
            answers: ["removed"], isStored: false, "deletes a namespace with everything in it",
            remove),
    ]

    private func requireNamespaces() throws(MockError) -> any NamespaceDirectory {
        guard let namespaces = admin.namespaces else {
            throw MockError(status: 409, "this server has no sockets, and no namespaces")
        }
        return namespaces
    }

    private func list() -> RequestOutcome {
        let all = admin.namespaces?.summaries ?? []
        return .object { writer in
            writer.objects("namespaces", all) { writer, namespace in
                writer.member("name", namespace.name)
                writer.member("url", namespace.url)
                writer.member("users", namespace.users)
            }
        }
    }

    /// Creates a namespace with the server's initial state, or as a copy of another namespace; a snapshot is of this one
    /// unless another is named.
    private func add() throws(MockError) -> RequestOutcome {
        let name = try NamespaceName(try body.requiredText("name"))
        let (fork, snapshot) = (try body.text("fork"), try body.text("snapshot"))
        let namespaces = try requireNamespaces()
        guard fork != nil || snapshot != nil else {
            return .respond(Self.answer(of: try namespaces.create(name)))
        }
        let source = fork ?? admin.address.namespace?.description ?? NamespaceName.home
        let (job, finish) = try namespaces.fork(
            name, of: source == NamespaceName.home ? nil : try NamespaceName(source), at: snapshot)
        return .job(job) {
            do throws(MockError) {
                return Self.answer(of: try finish())
            } catch {
                return HTTPResponse(error)
            }
        }
    }

    private func remove() throws(MockError) -> RequestOutcome {
        guard let text = query["name"] else { throw MockError("needs ?name=NAMESPACE") }
        let name = try NamespaceName(text)
        try requireNamespaces().remove(name)
        return .object { $0.member("removed", name.description) }
    }

    private static func answer(of created: CreatedNamespace) -> HTTPResponse {
        .object { writer in
            writer.member("name", created.name.description)
            writer.member("url", created.url)
            writer.member("apiToken", created.apiToken)
            writer.objects("apiTokens", created.apiTokens) { writer, entry in
                writer.member("container", entry.place.container.rawValue)
                writer.member("environment", entry.place.environment.rawValue)
                writer.member("apiToken", entry.token)
            }
            writer.object("webTokens") { writer in
                for (user, token) in created.webTokens { writer.member(user, token) }
            }
        }
    }
}
