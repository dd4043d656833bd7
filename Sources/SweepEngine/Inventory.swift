import CloudModel

/// What came of looking, besides the rows in the journal.
struct Inventory: Sendable {
    /// Who is signed in, container by container; only those that answered.
    var identities: [Container.ID: UserIdentity] = [:]
    /// What could not be read: any of these stops a sweep.
    var unlisted: [CoverageRow] = []
    /// What can be seen to be out of reach: the sweep goes on, but cannot end with 0.
    var unreachable: [CoverageRow] = []
    /// Why a container turned the user away, if one did.
    var forbidden: CloudError?
    /// What nobody asked for.
    var notInScope: [CoverageRow] = []

    mutating func add(_ other: Inventory) {
        identities.merge(other.identities) { $1 }
        unlisted += other.unlisted
        unreachable += other.unreachable
        forbidden = forbidden ?? other.forbidden
        notInScope += other.notInScope
    }
}
