package import CloudModel

/// A container in one environment: what an API token or a server-to-server key belongs to.
package struct ContainerPlace: Sendable, Hashable {
    package let container: Container.ID
    package let environment: Container.Environment

    package init(_ container: Container.ID, _ environment: Container.Environment) {
        self.container = container
        self.environment = environment
    }

    /// Where a database is.
    init(_ address: Database.Address) { self.init(address.container, address.environment) }
}
