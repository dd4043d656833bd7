package import Basics
public import Donations

/// What is to be suggested for which moment, and where.
package struct SuggestionRequest: Sendable, Hashable {
    package var now: Timestamp
    package var view: SuggestionView
    package var limit: Int

    /// A moment and the surface that shows the suggestions.
    package init(now: Timestamp, view: SuggestionView = .search, limit: Int = 10) {
        self.now = now
        self.view = view
        self.limit = limit
    }
}

/// A shortcut that may be suggested, and the latest donation that stands for it.
public struct DonationSuggestion: Sendable, Hashable {
    /// `.activity` or `.interaction`.
    public let kind: DonationKind
    /// The activity's type or the intent's class.
    public let type: String
    public let title: String?
    public let suggestedInvocationPhrase: String?
    /// An interaction's identifier.
    public let identifier: String?
    /// An activity's persistent identifier.
    public let persistentIdentifier: String?
    /// Only good for comparing.
    public let score: Int
    /// How often it was done within an hour of this time of day.
    public let sameTime: Int
    /// How often of those on this weekday.
    public let sameTimeAndDay: Int
    /// The latest donation of the kind.
    package let donation: Donation

    init(_ ranked: RankedSuggestion, _ donation: Donation) {
        kind = donation.kind
        type = donation.type
        title = donation.title
        suggestedInvocationPhrase = donation.suggestedInvocationPhrase
        identifier = donation.identifier.orNil
        persistentIdentifier = donation.persistentIdentifier
        score = ranked.score
        sameTime = ranked.candidate.sameTime
        sameTimeAndDay = ranked.candidate.sameTimeAndDay
        self.donation = donation
    }
}
