package import CloudModel

/// Where a sweep may delete at all: everything else is out of bounds.
package struct PlanScope: Sendable, Hashable {
    package let environment: Container.Environment
    package let containers: Set<Container.ID>
    package let scopes: Set<Database.Scope>

    package init(
        environment: Container.Environment, containers: Set<Container.ID>,
        scopes: Set<Database.Scope>
    ) {
        self.environment = environment
        self.containers = containers
        self.scopes = scopes
    }

    package func holds(_ container: Container.ID, _ scope: Database.Scope) -> Bool {
        containers.contains(container) && scopes.contains(scope)
    }
}
