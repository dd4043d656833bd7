public import Foundation

/// The list of shortcuts that are relevant at times or places.
public final class INRelevantShortcutStore: NSObject, Sendable {
    /// The one store.
    public static let `default` = INRelevantShortcutStore()

    private override init() { super.init() }

    /// Replaces the whole list; none empties it. The last caller of app and extensions wins.
    public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        ListCall.replace(.relevantShortcut, completion: completionHandler) {
            try shortcuts.enumerated().map { index, shortcut in try shortcut.entry(index) }
        }
    }

    /// Replaces the whole list, and waits until it is on disk.
    public func setRelevantShortcuts(_ shortcuts: [INRelevantShortcut]) async throws {
        try await StoreCall.wait { setRelevantShortcuts(shortcuts, completionHandler: $0) }
    }
}
