package import CloudModel

/// What is to be synced, and how long.
package struct SyncRequest: Sendable, Hashable {
    /// One round, or round after round.
    package enum Mode: Sendable, Hashable {
        case once
        /// A round, then a pause of this length, until it is stopped.
        case watch(every: Duration)
    }

    /// How long a round waits, and how many failures in a row it takes.
    package struct Limits: Sendable, Hashable {
        /// How long one round waits because the service asks for it; a longer wait ends it.
        package var waitMax: Duration = .seconds(120)
        /// Failures in a row after which one round gives a database up.
        package var failuresMax = 6
        /// Waits in a row that the service asked for.
        package var throttlesMax = 200
        /// nil: no bound.
        package var maxDuration: Duration?
        package init() {}
    }

    /// The bundle identifier of the app whose donations they are.
    package var application: String
    package var environment: Container.Environment
    package var containers: [Container.ID]
    /// Where donations are exchanged when that is on: the app's default container.
    package var defaultContainer: Container.ID?
    /// Which databases are followed; the public one has no feed and is left out.
    package var scopes: [Database.Scope]
    package var mode = Mode.once
    /// Whether donations stay when the user resets encrypted data.
    package var keepsDonationsOnReset = false
    package var limits = Limits()

    package init(
        application: String, environment: Container.Environment, containers: [Container.ID],
        defaultContainer: Container.ID?, scopes: [Database.Scope]
    ) {
        self.application = application
        self.environment = environment
        self.containers = containers
        self.defaultContainer = defaultContainer
        self.scopes = scopes
    }

    /// The databases that are followed, in the order of the containers.
    package var addresses: [Database.Address] {
        containers.flatMap { container in
            scopes.filter { $0 != .public }.sorted().map {
                Database.Address(container: container, environment: environment, scope: $0)
            }
        }
    }

    /// Whether a database is the one with the donation zone.
    package func hasDonationZone(_ address: Database.Address) -> Bool {
        address.scope == .private && address.container == defaultContainer
    }
}
