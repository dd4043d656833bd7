package import CloudModel

/// What an export is of: an attempt goes on only where all of it is the same.
package struct ExportSubject: Sendable, Hashable {
    /// One container, and who the person is there.
    package struct Person: Sendable, Hashable {
        package let container: Container.ID
        /// Keyed digest of the person's record name.
        package let pseudonym: String

        package init(container: Container.ID, pseudonym: String) {
            self.container = container
            self.pseudonym = pseudonym
        }
    }

    package let server: ServerFacts
    package let environment: Container.Environment
    package let scopes: [Database.Scope]
    package let people: [Person]

    package init(
        server: ServerFacts, environment: Container.Environment, scopes: [Database.Scope],
        people: [Person]
    ) {
        self.server = server
        self.environment = environment
        self.scopes = scopes
        self.people = people
    }

    /// All of it in one text, to be compared.
    var text: String {
        ([server.url, environment.rawValue] + scopes.map(\.rawValue)
            + people.flatMap { [$0.container.rawValue, $0.pseudonym] })
            .joined(separator: "\n")
    }
}
