package import MockService
package import MockStore

/// The namespaces of a server, as the administration needs them.
package protocol NamespaceDirectory: AnyObject {
    /// In the order of their names, without the server's own.
    var summaries: [NamespaceSummary] { get }

    /// Creates a namespace that begins as the server did.
    ///
    /// - Throws: ``MockError`` where the name is taken or there are too many.
    func create(_ name: NamespaceName) throws(MockError) -> CreatedNamespace

    /// Begins to create a namespace that is a copy of another, which stays in use meanwhile.
    ///
    /// - Parameters:
    ///   - origin: nil: the server's own.
    ///   - snapshot: Of the origin, whose data the copy is to have; nil: the data of now.
    /// - Returns: A job that copies, and what makes the namespace reachable once the job is done.
    /// - Throws: ``MockError`` where the name is taken, or there is no such origin or snapshot.
    func fork(
        _ name: NamespaceName, of origin: NamespaceName?, at snapshot: String?
    ) throws(MockError) -> (job: any StoreJob, finish: () throws(MockError) -> CreatedNamespace)

    /// Deletes a namespace: requests that wait for a response of it get 404.
    func remove(_ name: NamespaceName) throws(MockError)
}

/// A namespace in a list.
package struct NamespaceSummary {
    package let name: String
    package let url: String
    /// The names of its users.
    package let users: [String]

    package init(name: String, url: String, users: [String]) {
        (self.name, self.url, self.users) = (name, url, users)
    }
}

/// How a new namespace is reached, and its tokens.
package struct CreatedNamespace {
    package let name: NamespaceName
    package let url: String
    /// Its own API token, good for every container.
    package let apiToken: String
    /// Those of its containers.
    package let apiTokens: [(place: ContainerPlace, token: String)]
    /// A new web token for each user.
    package let webTokens: [(user: String, token: String)]

    package init(
        name: NamespaceName, url: String, apiToken: String,
        apiTokens: [(place: ContainerPlace, token: String)],
        webTokens: [(user: String, token: String)]
    ) {
        (self.name, self.url, self.apiToken) = (name, url, apiToken)
        (self.apiTokens, self.webTokens) = (apiTokens, webTokens)
    }
}
