import Basics
import HTTPServer
import JSON

extension MockApplication {
    /// A clock of its own needs a `date` of its own; the server's own is asked once a turn.
    package var unixSeconds: Int64? { namespace == nil ? nil : clock.now.milliseconds / 1000 }

    /// Has the switches, faults and time of another world; counters begin anew.
    func takeOver(from origin: MockApplication) throws(MockStoreError) {
        options = origin.options
        clock.setting = origin.clock.setting
        faults.plan.removeAll()
        for entry in origin.faults.plan.entries {
            do throws(FaultError) {
                try faults.plan.set(entry.rule, now: clock.now)
            } catch {
                throw MockStoreError(.refused, "fault \(entry.rule.id): \(error)")
            }
        }
        try commit()
    }

    // MARK: - Administration

    private func requireNamespaces() throws(AdminError) -> Namespaces {
        guard let namespaces else {
            throw AdminError(status: 409, "this server has no sockets, and no namespaces")
        }
        return namespaces
    }

    func listNamespaces() -> RequestOutcome {
        let all = namespaces?.all ?? []
        return .object { writer in
            writer.objects("namespaces", all) { writer, namespace in
                writer.member("name", namespace.name)
                writer.member("url", namespace.world.baseURL)
                writer.member("users", namespace.world.store.users.map(\.name))
            }
        }
    }

    /// Makes a namespace, as the server began, or as a copy of another world.
    ///
    /// - Parameters:
    ///   - fork: Which world; without one, a snapshot is of this.
    func addNamespace(
        _ name: NamespaceName, fork: String?, snapshot: String?
    ) throws(AdminError) -> RequestOutcome {
        let namespaces = try requireNamespaces()
        guard fork != nil || snapshot != nil else {
            return .respond(answer(of: try namespaces.add(name), named: name), after: .zero)
        }
        let origin =
            try fork.map { text throws(AdminError) in
                text == NamespaceName.home
                    ? namespaces.home : try namespaces.find(try NamespaceName(text))
            } ?? self
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
        return .job(job) { [self] in
            guard let world = job.world else {
                return HTTPResponse(AdminError(status: 500, "nothing was copied"))
            }
            namespaces.put(world, as: name)
            return answer(of: world, named: name)
        }
    }

    func removeNamespace(_ name: NamespaceName) throws(AdminError) -> RequestOutcome {
        try requireNamespaces().remove(name)
        return .object { $0.member("removed", name.description) }
    }

    /// How a namespace that was made can be used.
    private func answer(of world: MockApplication, named name: NamespaceName) -> HTTPResponse {
        var response = HTTPResponse.object { writer in
            writer.member("name", name.description)
            writer.member("url", world.baseURL)
            writer.member("apiToken", world.apiToken)
            writer.objects("apiTokens", world.containerTokens) { writer, entry in
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
        response.survivesRollback = true
        return response
    }
}

extension AdminRequest {
    static func newNamespace(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        .addNamespace(
            try NamespaceName(try input.body.requiredText("name")),
            fork: try input.body.text("fork"), snapshot: try input.body.text("snapshot"))
    }

    static func oldNamespace(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        guard let name = input.query["name"] else { throw AdminError("needs ?name=NAMESPACE") }
        return .removeNamespace(try NamespaceName(name))
    }
}
