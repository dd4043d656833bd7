internal import Foundation

extension NSUserActivity {
    /// Deletes the saved activities with these persistent identifiers, wherever they are stored,
    /// with their donations. Identifiers that match nothing are no error.
    ///
    /// When the handler runs, the deletion is durable, or its failure is in the store's log.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        UserActivityDonor.delete(persistentIdentifiers, completion: handler)
    }

    /// The same, waiting.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) {
                continuation.resume()
            }
        }
    }

    /// Deletes all saved activities of the app, with or without a persistent identifier.
    ///
    /// When the handler runs, the deletion is durable, or its failure is in the store's log.
    public class func deleteAllSavedUserActivities(
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        UserActivityDonor.delete(nil, completion: handler)
    }

    /// The same, waiting.
    public class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
