package import Basics
package import CloudModel
package import Configuration

/// What is true at the moment a plan is to be carried out: what a guard holds the plan against.
package struct Circumstances: Sendable, Hashable {
    package var now: Timestamp
    package var environment: Container.Environment
    /// The server that is talked to now.
    package var server: ServerFacts
    /// The configured containers and who is signed in there, sorted by container.
    package var subjects: [PlanFacts.Subject]
    package var scopes: [Database.Scope]
    package var policy: Policy
    /// The public keys, in hexadecimal, with a good signature over just this plan.
    package var signers: Set<String>
    /// Whether the journal has seen this plan used by another run.
    package var planUsed: Bool
    /// What a fresh look would delete that the plan does not name.
    package var unplannedItems: Int
    /// Places that cannot be proven now and that the plan does not name.
    package var unplannedUnproven: Int
    /// What a plan made of the fresh look would delete.
    package var freshTotals: PlanTotals
    /// The records that it would take along, as far as the caps want them counted.
    package var census: RecordCensus
    /// What goes along with the deletion of what the fresh look saw.
    package var cascade: CascadeFinding
    /// How many things in scope could not be listed.
    package var unlisted: Int
    /// SHA-256 over the manifest of the export that has to be there first, all of whose files were
    /// read again just now; nil: none was named.
    package var export: String?
    /// Whether deleting in spite of `unlisted` was asked for, with a reason.
    package var partialAllowed: Bool

    package init(
        now: Timestamp, environment: Container.Environment, server: ServerFacts,
        subjects: [PlanFacts.Subject], scopes: [Database.Scope], policy: Policy = Policy(),
        signers: Set<String> = [], planUsed: Bool = false, unplannedItems: Int = 0,
        unplannedUnproven: Int = 0,
        freshTotals: PlanTotals = PlanTotals(), census: RecordCensus = RecordCensus(),
        cascade: CascadeFinding = .none,
        unlisted: Int = 0, partialAllowed: Bool = false
    ) {
        self.now = now
        self.environment = environment
        self.server = server
        self.subjects = subjects
        self.scopes = scopes
        self.policy = policy
        self.signers = signers
        self.planUsed = planUsed
        self.unplannedItems = unplannedItems
        self.unplannedUnproven = unplannedUnproven
        self.freshTotals = freshTotals
        self.census = census
        self.cascade = cascade
        self.unlisted = unlisted
        self.partialAllowed = partialAllowed
    }
}
