// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The domain of ``CSIndexError``.
public let CSIndexErrorDomain = "CSIndexErrorDomain"
/// The domain of ``CSSearchQueryError``.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"

/// The type of the activity that an app is launched with when a found item is opened.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key of the opened item's identifier in that activity's `userInfo`.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The key of a custom action's identifier in that activity's `userInfo`.
public let CSActionIdentifier = "CSActionIdentifier"
/// The type of the activity that continues a search inside the app.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"
/// The key of what was searched for in that activity's `userInfo`.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The attribute of the part of a suggestion that the person did not type.
public let CSSuggestionHighlightAttributeName = "CSSuggestionHighlight"
