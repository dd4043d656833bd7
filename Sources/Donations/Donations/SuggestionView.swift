/// A surface that shows suggestions: each is a part of the same ranking.
package enum SuggestionView: String, Sendable, CaseIterable {
    /// Spotlight search: everything, the best first.
    case search
    /// The Lock Screen: only what was done at least twice at this time of day.
    case lockScreen
    /// The Siri watch face: only what was done at least twice at this time on this weekday.
    case watchFace

    /// Whether the surface shows a suggestion.
    package func shows(_ suggestion: RankedSuggestion) -> Bool {
        switch self {
        case .search: true
        case .lockScreen: suggestion.candidate.sameTime >= 2
        case .watchFace: suggestion.candidate.sameTimeAndDay >= 2
        }
    }
}

/// Which user activities are suggested (reading A5).
///
/// Apple's session of 2018 says that `isEligibleForPrediction` has an effect only on an activity
/// that is eligible for search as well; the reference does not say so. Deletions find both.
package enum PredictionGate: String, Sendable, CaseIterable {
    /// Those that are eligible for prediction.
    case predictionEligibility
    /// Those that are eligible for search as well.
    case requireSearchEligibility

    /// Whether an activity with these flags is suggested.
    package func admits(isEligibleForPrediction: Bool, isEligibleForSearch: Bool) -> Bool {
        switch self {
        case .predictionEligibility: isEligibleForPrediction
        case .requireSearchEligibility: isEligibleForPrediction && isEligibleForSearch
        }
    }
}
