import DonationSync

/// One rule left out or done wrongly: the simulation must notice.
struct BrokenVariant: Sendable, CustomStringConvertible {
    let name: String
    /// What runs are about in which it can show; nil: any.
    var theme: SimPlan.Theme?
    let breaks: @Sendable (inout SimPlan) -> Void

    var description: String { name }

    /// A run of a world in which this rule is broken.
    func plan(_ seed: UInt64) -> SimPlan {
        var plan = SimPlan(seed: theme.map { SimPlan.seed(seed, about: $0) } ?? seed)
        breaks(&plan)
        return plan
    }

    private init(
        _ name: String, _ theme: SimPlan.Theme? = nil,
        _ breaks: @escaping @Sendable (inout SimPlan) -> Void
    ) {
        self.name = name
        self.theme = theme
        self.breaks = breaks
    }

    /// The seven of the reference model.
    static let model: [BrokenVariant] = [
        .init("no tombstones") { $0.rules.keepsDeletions = false },
        .init("lists of ids are sent") { $0.rules.sendsSelectors = false },
        .init("the wall clock decides") { $0.rules.comparesContexts = false },
        .init("a tombstone is for ever", .sameThings) { $0.defects = [.tombstoneForever] },
        .init("tombstones are collected early", .collection) {
            $0.rules.collectsOnlyConfirmed = false
        },
        .init("uploads again after a purge", .lostZones) { $0.rules.dropsOldIncarnation = false },
        .init("keeps its name after a roll-back", .rollBacks) {
            $0.rules.renamesAfterRollBack = false
        },
    ]

    /// More of our own.
    ///
    /// Not among them, because no run was found that shows them: contexts over gaps, conflicts
    /// overwritten, any version deleted, parked rows shown, deletions journalled late, and zones
    /// kept that a list lacks.
    static let more: [BrokenVariant] = [
        .init("a token is stored before its data") {
            $0.defects = [.tokenBeforeData]
            $0.mix[.crashBeforeCommit] = 0.05
        },
        .init("an empty page ends the paging") {
            $0.defects = [.emptyPageEnds]
            $0.mix[.emptyPage] = 0.05
        },
        .init("an aborted scan is swept", .tokens) { $0.rules.sweepsOnlyCompleteScans = false },
        .init("a scan is not swept", .tokens) { $0.rules.sweepsAfterScan = false },
        .init("names never seen are swept", .content) { $0.rules.keepsNeverSeen = false },
        .init("a wait is cut short") {
            $0.rules.keepsWaits = false
            $0.mix[.busy] = 0.1
        },
        .init("a lost zone is created again", .lostZones) { $0.rules.leavesLostZones = false },
        .init("uploads before it fetches") { $0.rules.fetchesDeletionsFirst = false },
        .init("fences are ignored", .fences) { $0.rules.honoursFences = false },
        .init("what vanished is inserted again") { $0.rules.dropsVanished = false },
        .init("what expired stays in the zone", .expiry) { $0.defects = [.expiryStaysHere] },
        .init("another app's zone is touched") {
            $0.defects = [.otherBundle]
            $0.hasBystanders = true
        },
        .init("collected deletions leave no base", .collection) {
            $0.rules.raisesBase = false
            $0.rules.remembersCollected = false
        },
        .init("what was collected is forgotten", .opponents) {
            $0.rules.remembersCollected = false
            $0.opponents = [.reuploader]
            $0.deletionsKept = 0
        },
        .init("purged zones take links", .content) { $0.rules.refusesPurgedZones = false },
        .init("a missing zone counts as deleted", .content) {
            $0.rules.unclearDeletesNothing = false
            $0.mix[.zoneVanishes] = 0.05
        },
        .init("deleted zones leave links", .content) { $0.rules.followsZoneDeletions = false },
    ]
}

extension SimPlan {
    /// The n-th seed whose runs are about something.
    static func seed(_ number: UInt64, about theme: Theme) -> UInt64 {
        number * UInt64(Theme.allCases.count) + UInt64(theme.rawValue)
    }
}
