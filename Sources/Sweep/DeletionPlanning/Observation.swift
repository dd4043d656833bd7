package import CloudModel

/// One thing that was seen in a database: a row of the inventory.
package struct Observation: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    package let subject: Subject
    /// How many records a custom zone holds; nil: nobody counted.
    package let records: Int?

    package init(
        container: Container.ID, scope: Database.Scope, subject: Subject, records: Int? = nil
    ) {
        self.container = container
        self.scope = scope
        self.subject = subject
        self.records = records
    }

    /// What was seen.
    package enum Subject: Sendable, Hashable {
        /// A custom zone; in the shared database one of another person, with its owner.
        case zone(RecordZone.ID, Contents)
        /// The default zone itself, which every private database has.
        case defaultZone
        case record(zone: RecordZone.ID, type: String, name: String)
        /// A subscription, with the zone and record type it watches.
        case subscription(id: String, zone: String?, recordType: String?)
        /// The user's own record, with fields in it.
        case userRecord
    }

    /// What is known of what lies in a custom zone.
    package enum Contents: Sendable, Hashable {
        /// Nobody looked: enough where no rule names a record type.
        case notLookedInto
        /// Looked into for the record types that rules keep: none is there.
        case nothingKept
        /// Records that a rule keeps are there; all records of the zone are observed one by one.
        case holdsKept
    }
}
