package import CloudModel

/// What a reset empties: everything that fits all the parts that are given.
package struct ResetScope: Sendable, Hashable {
    package var user: String?
    package var container: Container.ID?
    package var environment: Container.Environment?
    package var scope: Database.Scope?
    package var zoneName: String?

    /// Everything, until parts are named.
    package init(
        user: String? = nil, container: Container.ID? = nil,
        environment: Container.Environment? = nil, scope: Database.Scope? = nil,
        zoneName: String? = nil
    ) {
        self.user = user
        self.container = container
        self.environment = environment
        self.scope = scope
        self.zoneName = zoneName
    }

    package func covers(_ key: DatabaseKey) -> Bool {
        (user == nil || user == key.user) && covers(key.address)
    }

    /// Whether it is about databases at an address, whoever has them.
    func covers(_ address: Database.Address) -> Bool {
        (container == nil || container == address.container)
            && (environment == nil || environment == address.environment)
            && (scope == nil || scope == address.scope)
    }
}
