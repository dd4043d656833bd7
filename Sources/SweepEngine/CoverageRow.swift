package import CloudModel

/// One place where a person's data can lie, and what became of it.
package struct CoverageRow: Sendable, Hashable {
    /// The kinds of places, in the order of the coverage map.
    package enum Kind: String, Sendable, CaseIterable {
        case customZones = "custom zones"
        case defaultZone = "default zone"
        case zoneRecords = "records in kept zones"
        case sharedZones = "shared zones"
        case publicRecords = "public records"
        case subscriptions = "subscriptions"
        case userRecord = "user record"
        case donations = "local donations"
    }

    /// How a row ends.
    package enum Outcome: String, Sendable, CaseIterable {
        /// Nothing was there.
        case nothingThere = "nothing there"
        /// Seen, and to be deleted: in plans only.
        case toDelete = "to delete"
        case deleted = "deleted"
        case alreadyGone = "already gone"
        case kept = "kept"
        case unreachable = "unreachable"
        case notInScope = "not in scope"
        /// Deletions failed after all retries.
        case failed = "failed"
        /// Accepted, but verification still finds data.
        case dataLeft = "data left"
        /// Not looked at again, because the run ended before.
        case unverified = "unverified"

        /// Whether a row that ends like this lets a run end with 0.
        package var isClean: Bool {
            switch self {
            case .nothingThere, .deleted, .alreadyGone, .kept, .notInScope: true
            case .toDelete, .unreachable, .failed, .dataLeft, .unverified: false
            }
        }
    }

    package let container: Container.ID
    package let scope: Database.Scope
    package let kind: Kind
    /// The record type, where the row is about one.
    package let subject: String?
    package var outcome: Outcome
    /// The rule that keeps, why it is unreachable, what would fix it.
    package var reason: String?
    /// The database's answer, where it could not be read.
    package var code: CloudError.Code?
    package var found = 0
    package var deleted = 0
    package var alreadyGone = 0
    package var kept = 0
    package var failed = 0
    /// Still seen by the last verification pass.
    package var left = 0

    package init(
        container: Container.ID, scope: Database.Scope, kind: Kind, subject: String? = nil,
        outcome: Outcome, reason: String? = nil
    ) {
        self.container = container
        self.scope = scope
        self.kind = kind
        self.subject = subject
        self.outcome = outcome
        self.reason = reason
    }

    /// What a row speaks of.
    struct Place: Sendable, Hashable {
        let container: Container.ID
        let scope: Database.Scope
        let kind: Kind
        let subject: String?
    }

    var place: Place {
        Place(container: container, scope: scope, kind: kind, subject: subject)
    }
}

extension CoverageRow.Kind {
    /// Its place in the coverage map.
    var order: Int {
        switch self {
        case .customZones: 0
        case .defaultZone: 1
        case .zoneRecords: 2
        case .sharedZones: 3
        case .publicRecords: 4
        case .subscriptions: 5
        case .userRecord: 6
        case .donations: 7
        }
    }
}
