package import CloudModel
import Evidence

/// One place where a person's data can lie, and what became of it.
package struct CoverageRow: Sendable, Hashable {
    /// The kinds of places, in the order of the coverage map.
    package enum Kind: String, Sendable, CaseIterable {
        case customZones = "custom zones"
        case defaultZone = "default zone"
        case zoneRecords = "records in kept zones"
        case sharesGiven = "shares with others"
        case sharedZones = "shared zones"
        case sharedRecords = "records in shared zones"
        case publicRecords = "public records"
        case subscriptions = "subscriptions"
        case userRecord = "user record"
        case assets = "assets"
        case donations = "local donations"
        case otherEnvironment = "other environment"
    }

    /// How a row ends, and nothing else. A row begins as not looked at; only a complete look changes
    /// that.
    package enum Outcome: String, Sendable, CaseIterable {
        case deleted = "deleted"
        case alreadyGone = "already gone"
        /// Everything was read, and nothing was there.
        case empty = "looked at, empty"
        /// A rule keeps all of it.
        case kept = "kept"
        /// Something is there that should not be, or is still to be deleted.
        case left = "left"
        /// Deletions failed after all retries, or what is to be kept is gone.
        case failed = "failed"
        /// Nobody could look, or look again, and why.
        case notLookedAt = "not looked at"
        /// No look can show that it is empty; the reason says what would fix it.
        case unproven = "cannot be proven"
        case notInScope = "not in scope"
        /// Seen, and to be deleted: in plans only.
        case toDelete = "to delete"
        /// Seen, and all of it is in the export: in exports only.
        case exported = "exported"

        /// The outcome in the words of screens and pages; raw values are those of signed statements.
        package var label: String {
            switch self {
            case .alreadyGone: "already deleted"
            case .empty: "scanned, empty"
            case .notLookedAt: "not scanned"
            case .unproven: "cannot be verified"
            case .deleted, .kept, .left, .failed, .notInScope, .toDelete, .exported: rawValue
            }
        }

        /// Whether a row that ends like this lets a run end with 0.
        package var isClean: Bool {
            switch self {
            case .deleted, .alreadyGone, .empty, .kept, .notInScope: true
            case .left, .failed, .notLookedAt, .unproven, .toDelete, .exported: false
            }
        }
    }

    package let container: Container.ID
    package let scope: Database.Scope
    package let kind: Kind
    /// The record type or zone, where the row is about one.
    package internal(set) var subject: String?
    package var outcome: Outcome
    /// The rule that keeps, why nobody could look, what would fix it.
    package var reason: String?
    /// The database's answer, where it could not be read.
    package var code: CloudError.Code?
    package var found = 0
    package var deleted = 0
    package var alreadyGone = 0
    package var kept = 0
    package var failed = 0
    /// In the export.
    package var exported = 0
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
    /// Whether rows of it may be about single zones, whose names only operators are told.
    var namesZones: Bool {
        switch self {
        case .customZones, .sharedZones, .sharedRecords: true
        case .defaultZone, .zoneRecords, .sharesGiven, .publicRecords, .subscriptions, .userRecord,
            .assets, .donations, .otherEnvironment:
            false
        }
    }

    /// What lies there, in a word.
    var things: String {
        switch self {
        case .customZones, .sharedZones: "zones"
        case .defaultZone, .zoneRecords, .sharedRecords, .publicRecords: "records"
        case .sharesGiven: "shares"
        case .subscriptions: "subscriptions"
        case .userRecord: "fields"
        case .assets: "assets"
        case .donations: "donations"
        case .otherEnvironment: "things"
        }
    }

    /// Its place in the coverage map.
    var order: Int {
        switch self {
        case .customZones: 0
        case .defaultZone: 1
        case .zoneRecords: 2
        case .sharesGiven: 3
        case .sharedZones: 4
        case .sharedRecords: 5
        case .publicRecords: 6
        case .subscriptions: 7
        case .userRecord: 8
        case .assets: 9
        case .donations: 10
        case .otherEnvironment: 11
        }
    }
}

extension CoverageRow {
    /// What the row is about, without its name.
    func subject(under key: CaseKey, _ environment: Container.Environment) -> String? {
        guard let subject, kind.namesZones else { return subject }
        return key.zone(subject, in: container, environment)
    }

    /// The rule that keeps, or our own words. A server's words could name something.
    var reasonForOthers: String? { code == nil ? reason : nil }
}
