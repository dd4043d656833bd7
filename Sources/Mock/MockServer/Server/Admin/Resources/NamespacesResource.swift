import Basics
import CloudWire
import HTTPServer
import JSON
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

    private func requireNamespaces() throws(AdminError) -> Namespaces {
        guard let namespaces = admin.namespaces else {
            throw AdminError(status: 409, "this server has no sockets, and no namespaces")
        }
        return namespaces
    }

    private func list() -> RequestOutcome {
        let all = admin.namespaces?.all ?? []
        return .object { writer in
            writer.objects("namespaces", all) { writer, namespace in
                writer.member("name", namespace.name)
                writer.member("url", namespace.world.baseURL)
                writer.member("users", namespace.world.store.users.map(\.name))
            }
        }
    }

    /// Creates a namespace with the server's initial state, or as a copy of another namespace; a snapshot is of this one
    /// unless another is named.
    private func add() throws(AdminError) -> RequestOutcome {
        let name = try NamespaceName(try body.requiredText("name"))
        let (fork, snapshot) = (try body.text("fork"), try body.text("snapshot"))
        let namespaces = try requireNamespaces()
        guard fork != nil || snapshot != nil else {
            return .respond(answer(of: try namespaces.add(name), named: name), after: .zero)
        }
        let own = admin.address.namespace?.description ?? NamespaceName.home
        let source = fork ?? own
        let origin =
            source == NamespaceName.home
            ? namespaces.home : try namespaces.find(try NamespaceName(source))
        if let snapshot, !origin.store.snapshotNames.contains(snapshot) {
            throw AdminError(
                status: 404,
                "there is no snapshot \"\(snapshot)\""
                    + NearestName.hint(for: snapshot, among: origin.store.snapshotNames))
        }
        try namespaces.reserve(name)
        let job: NamespaceFork
        do throws(MockStoreError) {
            job = try NamespaceFork(name, of: origin, at: snapshot, namespaces)
        } catch {
            namespaces.release(name)
            throw AdminError(error)
        }
        return .job(job) {
            guard let world = job.world else {
                return HTTPResponse(AdminError(status: 500, "nothing was copied"))
            }
            namespaces.put(world, as: name)
            return answer(of: world, named: name)
        }
    }

    private func remove() throws(AdminError) -> RequestOutcome {
        guard let text = query["name"] else { throw AdminError("needs ?name=NAMESPACE") }
        let name = try NamespaceName(text)
        try requireNamespaces().remove(name)
        return .object { $0.member("removed", name.description) }
    }

    /// How a new namespace is reached, and its tokens.
    private func answer(of world: NamespaceHost, named name: NamespaceName) -> HTTPResponse {
        .object { writer in
            writer.member("name", name.description)
            writer.member("url", world.baseURL)
            writer.member("apiToken", world.apiToken)
            writer.objects("apiTokens", world.administration.containerTokens) { writer, entry in
                writer.member("container", entry.place.container.rawValue)
                writer.member("environment", entry.place.environment.rawValue)
                writer.member("apiToken", entry.token)
            }
            writer.key("webTokens")
            writer.beginObject()
            for user in world.store.users {
                writer.member(user.name, world.issueWebToken(user: user.name))
            }
            writer.endObject()
        }
    }
}
