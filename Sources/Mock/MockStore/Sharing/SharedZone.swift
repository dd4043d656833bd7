import CloudModel

/// One share: a hierarchy of records, or a whole zone.
struct ZoneShare: Hashable {
    /// Larger than that of any zone, share or view before.
    let number: Int64
    /// The name of the share record.
    let recordName: String
    /// The root of the hierarchy; nil: the whole zone.
    let root: String?
    /// By the account that has accepted.
    var accepted: [String: Participation] = [:]
}

/// The shares of one zone, and what its participants see.
struct SharedZone {
    /// The owner's private database.
    let owner: DatabaseKey
    let name: String
    /// What the zone keeps its records under.
    let incarnation: Int64
    private(set) var shares: [Int64: ZoneShare] = [:]
    private var byRecord: [String: Int64] = [:]
    private var byRoot: [String: Int64] = [:]
    /// By account.
    var views: [String: ZoneView] = [:]

    init(owner: DatabaseKey, name: String, incarnation: Int64) {
        self.owner = owner
        self.name = name
        self.incarnation = incarnation
    }

    var isEmpty: Bool { shares.isEmpty }

    /// The share of the whole zone.
    var whole: ZoneShare? { share(named: Share.zoneWideName) }

    /// Whether there are shares of hierarchies, of which a zone has none when it is shared as a
    /// whole.
    var hasHierarchies: Bool { !byRoot.isEmpty }

    /// The share of a record's name.
    func share(named name: String) -> ZoneShare? { byRecord[name].flatMap { shares[$0] } }

    /// The share of a root record.
    func share(rootedAt name: String) -> ZoneShare? { byRoot[name].flatMap { shares[$0] } }

    mutating func add(_ share: ZoneShare) {
        shares[share.number] = share
        byRecord[share.recordName] = share.number
        if let root = share.root { byRoot[root] = share.number }
    }

    mutating func remove(_ number: Int64) {
        guard let share = shares.removeValue(forKey: number) else { return }
        byRecord[share.recordName] = nil
        if let root = share.root { byRoot[root] = nil }
    }

    /// Takes note of what an account may do with a share; nil: nothing any more.
    mutating func set(_ participation: Participation?, of user: String, in number: Int64) {
        shares[number]?.accepted[user] = participation
        views[user]?.shares[number] = participation
    }
}
