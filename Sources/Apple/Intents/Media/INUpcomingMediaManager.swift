internal import DonationStore
internal import Donations
public import Foundation

/// What the system may guess of the media to come.
public enum INUpcomingMediaPredictionMode: Int, Sendable {
    /// From all that was played.
    case `default`
    /// Only from what the app suggests.
    case onlyPredictSuggestedIntents
}

/// The media that the app expects to be played next.
public final class INUpcomingMediaManager: NSObject, Sendable {
    /// The one manager.
    public static let shared = INUpcomingMediaManager()

    private override init() { super.init() }

    /// Replaces the whole list, the next first; none empties it.
    public func setSuggestedMediaIntents(_ intents: NSOrderedSet) {
        let intents = intents.compactMap { $0 as? INPlayMediaIntent }
        ListCall.replace(.upcomingMedia) {
            try intents.enumerated().map { index, intent in
                try ListCall.entry(intent, identifier: "\(index)")
            }
        }
    }

    /// Says what the system may guess of a kind of media.
    public func setPredictionMode(
        _ mode: INUpcomingMediaPredictionMode, for type: INMediaItemType
    ) {
        ListCall.replace(.setting, scope: "INUpcomingMediaManager.\(type.rawValue)") {
            [
                ListEntry(
                    identifier: "predictionMode",
                    payload: PayloadValue.integer(Int64(mode.rawValue)).encoded)
            ]
        }
    }
}
