internal import Foundation

/// A link from a note to content of an app. It names content, not a device: the same content gives
/// the same ``Key`` everywhere.
public struct QuickNoteLink: Hashable, Codable, Sendable {
    /// What tells contents apart.
    public enum Key: Hashable, Codable, Sendable {
        /// The activity's persistent identifier.
        case persistentIdentifier(String)
        /// The activity's target content identifier.
        case targetContentIdentifier(String)
        /// The https address, as the app wrote it.
        case webpageURL(String)
    }

    /// The type of the activity that was current.
    public let activityType: String
    /// What the content is called.
    public let title: String?
    /// What tells it from other content.
    public let key: Key

    /// A link to what `activity` shows; nil when it has no identifier that lasts.
    init?(_ activity: NSUserActivity) {
        guard let key = Self.keys(of: activity).first else { return nil }
        activityType = activity.activityType
        title = activity.title
        self.key = key
    }

    /// Whether `activity` shows the content that the link leads to, so that a note about it can be
    /// shown beside it. Identifiers are compared byte by byte.
    public func matches(_ activity: NSUserActivity) -> Bool {
        activityType == activity.activityType
            && Self.keys(of: activity).contains { $0.isSame(as: key) }
    }

    /// The identifiers of an activity, the surest first.
    private static func keys(of activity: NSUserActivity) -> [Key] {
        var keys: [Key] = []
        if let name = activity.persistentIdentifier, !name.isEmpty {
            keys.append(.persistentIdentifier(name))
        }
        if let name = activity.targetContentIdentifier, !name.isEmpty {
            keys.append(.targetContentIdentifier(name))
        }
        if let url = activity.webpageURL, url.scheme?.lowercased() == "https" {
            keys.append(.webpageURL(url.absoluteString))
        }
        return keys
    }
}

extension QuickNoteLink.Key {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.persistentIdentifier(let one), .persistentIdentifier(let two)),
            (.targetContentIdentifier(let one), .targetContentIdentifier(let two)),
            (.webpageURL(let one), .webpageURL(let two)):
            one.utf8.elementsEqual(two.utf8)
        default: false
        }
    }
}
