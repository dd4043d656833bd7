package import CloudModel

/// Something that was seen and is not deleted, with the reason.
package struct KeptItem: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    package let what: What
    package let because: Because

    package init(
        container: Container.ID, scope: Database.Scope, what: What, because: Because
    ) {
        self.container = container
        self.scope = scope
        self.what = what
        self.because = because
    }

    /// What is kept.
    package enum What: Sendable, Hashable {
        case zone(RecordZone.ID)
        case defaultZone
        case record(zone: RecordZone.ID, type: String, name: String)
        case subscription(String)
        case userRecord
    }

    /// Why it is kept.
    package enum Because: Sendable, Hashable {
        /// A rule of the policy, by its index.
        case rule(Int)
        /// The zone holds records that a rule keeps, so its other records go one by one.
        case holdsKept
        /// The person created it in another person's zone, and the list says that it stays there.
        case staysWithOwner
        /// It could not be told whether a rule keeps something in it, so it stays.
        case notLookedInto
    }
}
