package import Basics
package import CloudModel

/// What a plan says of itself: all a guard needs, without its steps.
package struct PlanFacts: Sendable, Hashable {
    /// One container of the plan and, as a keyed digest, who the user is there.
    package struct Subject: Sendable, Hashable {
        package let container: Container.ID
        package let userPseudonym: String

        package init(container: Container.ID, userPseudonym: String) {
            self.container = container
            self.userPseudonym = userPseudonym
        }
    }

    package let toolVersion: String
    package let environment: Container.Environment
    /// The server that was looked at.
    package let server: ServerFacts
    /// Sorted by container.
    package let subjects: [Subject]
    package let scopes: [Database.Scope]
    package let created: Timestamp
    package let expires: Timestamp
    /// Makes two plans over the same things different plans.
    package let nonce: String
    package let conditions: PlanConditions
    package let totals: PlanTotals
    /// SHA-256 over the manifest of the export that was written first, in hexadecimal; nil: none was
    /// asked for.
    package let export: String?
    /// SHA-256 over the plan's lines, in hexadecimal.
    package let digest: String

    package init(
        toolVersion: String, environment: Container.Environment, server: ServerFacts,
        subjects: [Subject], scopes: [Database.Scope], created: Timestamp, expires: Timestamp,
        nonce: String, conditions: PlanConditions = PlanConditions(), totals: PlanTotals,
        export: String? = nil, digest: String
    ) {
        self.toolVersion = toolVersion
        self.environment = environment
        self.server = server
        self.subjects = subjects
        self.scopes = scopes
        self.created = created
        self.expires = expires
        self.nonce = nonce
        self.conditions = conditions
        self.totals = totals
        self.export = export
        self.digest = digest
    }

    /// What a person types to approve the plan: `delete 4 zones in iCloud.com.example.app`, how
    /// many zones of others are left, and what cannot be proven, because the yes covers that too.
    package var phrase: String {
        let left = totals.sharedZones > 0 ? "and leave \(totals.sharedZones) " : ""
        let count = "delete \(totals.zones) zone\(totals.zones == 1 ? "" : "s") \(left)in "
        let place =
            subjects.count == 1 ? subjects[0].container.rawValue : "\(subjects.count) containers"
        guard totals.unproven > 0 else { return count + place }
        return count + place + ", \(totals.unproven) unproven"
    }
}
