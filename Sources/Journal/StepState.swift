/// How far a step of a plan has come.
package enum StepState: Int, Sendable, CaseIterable {
    case planned = 0
    /// Its request may be sent from now on, and may have been carried out.
    case intended = 1
    /// Every item was deleted or had gone already.
    case acknowledged = 2
    /// Some items were refused after all retries.
    case partlyFailed = 3
    /// The whole request was refused after all retries.
    case failed = 4
    /// Verification looked and found nothing of it.
    case verified = 5

    /// The states a step can go to from here; anything else is a mistake of ours.
    package var next: Set<StepState> {
        switch self {
        case .planned: [.intended]
        // Again to intended: an interrupted run is resumed and asks anew.
        case .intended: [.intended, .acknowledged, .partlyFailed, .failed]
        case .acknowledged: [.intended, .verified]
        case .partlyFailed, .failed: [.intended]
        case .verified: []
        }
    }

    /// Whether the outcome is known.
    package var isSettled: Bool {
        switch self {
        case .planned, .intended: false
        case .acknowledged, .partlyFailed, .failed, .verified: true
        }
    }
}
