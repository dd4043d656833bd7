/// Something done wrongly around the code under test: the simulation must notice.
struct BrokenVariant: Sendable, CustomStringConvertible {
    let name: String
    /// What runs are about in which it can show; nil: any.
    var theme: SimPlan.Theme?
    let breaks: @Sendable (inout SimPlan) -> Void

    var description: String { name }

    /// A run of a world in which this is done wrongly.
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

    /// Not among them, because no run was found that shows them: contexts over gaps, conflicts
    /// overwritten, any version deleted.
    static let all: [BrokenVariant] = [
        .init("a tombstone is for ever", .sameThings) { $0.defects = [.tombstoneForever] },
        .init("a token is stored before its data") {
            $0.defects = [.tokenBeforeData]
            $0.mix[.crashBeforeCommit] = 0.05
        },
        .init("an empty page ends the paging") {
            $0.defects = [.emptyPageEnds]
            $0.mix[.emptyPage] = 0.05
        },
        .init("what expired stays in the zone", .expiry) { $0.defects = [.expiryStaysHere] },
        .init("another app's zone is touched") {
            $0.defects = [.otherBundle]
            $0.hasBystanders = true
        },
    ]
}

extension SimPlan {
    /// The n-th seed whose runs are about something.
    static func seed(_ number: UInt64, about theme: Theme) -> UInt64 {
        number * UInt64(Theme.allCases.count) + UInt64(theme.rawValue)
    }
}
