package import CloudModel
package import Configuration
package import DeletionPlanning

/// What is to be swept, and within which limits.
package struct SweepRequest: Sendable, Hashable {
    /// One container of the list.
    package struct Target: Sendable, Hashable {
        package var container: Container.ID
        /// Zones named in the list, looked for even when no listing shows them.
        package var zones: [String]
        /// All record types the app has in default zones and the public database, which can be
        /// listed by type only: from the container's schema and configuration. Empty: it keeps
        /// nothing there. nil: nobody knows, and then the run cannot end with 0.
        package var recordTypes: [String]?
        /// Record types that are gone from the environment on purpose: that the service does not
        /// know them says nothing.
        package var retiredTypes: [String]
        /// Whether the app keeps nothing in the private default zone, as the list says: a record type that
        /// cannot be listed there is then not in scope. One that can be is scanned all the same.
        package var customZonesOnly: Bool
        /// Which fields hold assets, as the container's schema says; nil: nobody knows.
        package var assetFields: AssetFields?

        package init(
            container: Container.ID, zones: [String] = [], recordTypes: [String]? = nil,
            retiredTypes: [String] = [], customZonesOnly: Bool = false,
            assetFields: AssetFields? = nil
        ) {
            self.container = container
            self.zones = zones
            self.recordTypes = recordTypes
            self.retiredTypes = retiredTypes
            self.customZonesOnly = customZonesOnly
            self.assetFields = assetFields
        }
    }

    package var application: String?
    package var environment: Container.Environment
    package var targets: [Target]
    package var scopes: [Database.Scope]
    package var policy: Policy
    /// Why deleting is wanted even when something cannot be listed; nil: it is not.
    package var allowPartial: String?
    package var limits: Limits
    /// Whether the records in custom zones are counted, for the plan and its question. Caps on records count
    /// them in any case.
    var countsZoneRecords = false
    /// What is bound to the plan besides what is seen.
    package var conditions = PlanConditions()
    /// The user record name of a person who is not signed in; nil: it is about whoever is signed in.
    /// Then the public database alone is in scope, which a server-to-server key reaches.
    package var namedPerson: String?

    package init(
        application: String? = nil, environment: Container.Environment, targets: [Target],
        scopes: [Database.Scope] = [.private], policy: Policy = Policy(),
        allowPartial: String? = nil, limits: Limits = Limits()
    ) {
        self.application = application
        self.environment = environment
        self.targets = targets
        self.scopes = scopes
        self.policy = policy
        self.allowPartial = allowPartial
        self.limits = limits
    }

    /// Bounds of time and work.
    package struct Limits: Sendable, Hashable {
        /// Requests in flight at once, everywhere together.
        package var parallelism = 16
        /// Requests in flight at once to one database.
        package var perDatabase = 8
        /// The run stops starting work after this long; nil: no limit.
        package var maxDuration: Duration?
        /// How long a plan may be applied.
        package var planLifetime: Duration = .seconds(24 * 3600)
        /// Verification: clean passes in a row that are asked for.
        package var cleanPasses = 2
        /// Verification: the wait between two passes.
        package var verifyPause: Duration = .seconds(10)
        /// Verification: passes go on this long at most while data is still seen.
        package var verifyTimeout: Duration = .seconds(300)
        /// Attempts at one request that fails for a reason other than a throttle.
        package var attemptsMax = 8
        /// All waits for one database together, in one run; more is given up.
        package var waitMax: Duration = .seconds(1800)
        /// Pages of one listing.
        package var pagesMax = 1_000_000
        package init() {}
    }
}
