/// How far a step of a plan has come.
package enum StepState: Int, Sendable, CaseIterable {
    case planned = 0
    /// Its request may be sent from now on, and may have been carried out.
    case intended = 1
    /// Every item was deleted, had gone already, or is spared.
    case acknowledged = 2
    /// Some items were refused after all retries.
    case partlyFailed = 3
    /// Every item that was sent was refused after all retries.
    case failed = 4
    /// Verification looked and found nothing of it.
    case verified = 5
    /// Some items wait until other records are gone.
    case deferred = 6

    /// The states a step can go to from here; anything else is a mistake of ours.
    package var next: Set<StepState> {
        switch self {
        case .planned: [.intended]
        // Again to intended: an interrupted run is resumed and asks anew.
        case .intended: [.intended, .acknowledged, .partlyFailed, .failed, .deferred]
        case .acknowledged: [.intended, .verified]
        case .partlyFailed, .failed, .deferred: [.intended]
        case .verified: []
        }
    }

    /// Whether the outcome is known.
    package var isSettled: Bool {
        switch self {
        case .planned, .intended, .deferred: false
        case .acknowledged, .partlyFailed, .failed, .verified: true
        }
    }

    /// Whether a step in this state can have these items.
    package func fits(_ items: ItemCounts) -> Bool {
        switch self {
        case .planned: items.pending == items.total
        case .intended: true
        case .acknowledged, .verified:
            items.pending + items.failed + items.deferred == 0
        case .partlyFailed: items.failed > 0 && items.pending + items.deferred == 0
        case .failed:
            items.failed > 0 && items.pending + items.deferred == 0
                && items.deleted + items.alreadyGone == 0
        case .deferred: items.deferred > 0
        }
    }
}
