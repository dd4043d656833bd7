/// The string an app knows a saved activity by; the handle for its deletion.
public typealias NSUserActivityPersistentIdentifier = String

/// The type of an activity in which the person reads a web page.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// The type of an activity in which the person looks at a guide of channels.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let TVUserActivityTypeBrowsingChannelGuide = "TVUserActivityTypeBrowsingChannelGuide"

/// The lowest code of an error about user activities, in `NSCocoaErrorDomain`.
///
/// Foundation on Linux has the four errors themselves, so they are not repeated here.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSUserActivityErrorMinimum = 4608

/// The highest code of an error about user activities, in `NSCocoaErrorDomain`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSUserActivityErrorMaximum = 4863
