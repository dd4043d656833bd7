package import CloudModel

/// What is true at the moment a plan is to be carried out: what a guard holds the plan against.
package struct Circumstances: Sendable, Hashable {
    package var now: Timestamp
    package var environment: Container.Environment
    /// The configured containers and who is signed in there, sorted by container.
    package var subjects: [PlanFacts.Subject]
    package var scopes: [Database.Scope]
    package var caps: Policy.Caps
    /// Whether the journal has seen this plan used by another run.
    package var planUsed: Bool
    /// How many things are there now that the plan does not name.
    package var unplannedItems: Int
    /// How many things in scope could not be listed.
    package var unlisted: Int
    /// Whether deleting in spite of `unlisted` was asked for, with a reason.
    package var partialAllowed: Bool

    package init(
        now: Timestamp, environment: Container.Environment, subjects: [PlanFacts.Subject],
        scopes: [Database.Scope], caps: Policy.Caps, planUsed: Bool, unplannedItems: Int,
        unlisted: Int, partialAllowed: Bool
    ) {
        self.now = now
        self.environment = environment
        self.subjects = subjects
        self.scopes = scopes
        self.caps = caps
        self.planUsed = planUsed
        self.unplannedItems = unplannedItems
        self.unlisted = unlisted
        self.partialAllowed = partialAllowed
    }
}
