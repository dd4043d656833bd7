/// What a stored row is.
public enum DonationKind: String, Sendable, Codable, Hashable, CaseIterable {
    /// An interaction: an intent that was carried out, and its response.
    case interaction
    /// One event of an activity: the user did this now.
    case activity
    /// The stored form of an activity, as its latest event left it.
    case savedActivity
    /// An item of the search index.
    case searchableItem
    /// A record of the App Intents donation manager.
    case appIntent
    /// A shortcut on the list of relevant ones.
    case relevantShortcut
    /// A shortcut the app suggests the user should record.
    case shortcutSuggestion
    /// A shortcut the user recorded; no deletion takes it.
    case voiceShortcut
    /// A word of the app's or the user's own.
    case vocabulary
    /// A media intent on the list of what comes next.
    case upcomingMedia
    /// A setting of the app, such as its media context.
    case setting

    /// The kinds whose rows are ``Donation`` values.
    public static let donations: [DonationKind] = [
        .interaction, .activity, .savedActivity, .searchableItem, .appIntent,
    ]
    /// The kinds whose rows are ``ListEntry`` values.
    public static let lists: [DonationKind] = [
        .relevantShortcut, .shortcutSuggestion, .voiceShortcut, .vocabulary, .upcomingMedia,
        .setting,
    ]
}
