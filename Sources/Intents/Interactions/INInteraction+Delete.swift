internal import DonationStore

extension INInteraction {
    /// Deletes the app's interactions with these identifiers. One that matches nothing is no
    /// error, unless the store is strict.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    public class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        StoreCall.run(.deletingInteractionWithIdentifiers, completion: completion) {
            $0.delete(.interactions(identifiers: identifiers), completion: $1)
        }
    }

    /// Deletes the app's interactions with these identifiers, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    public class func delete(with identifiers: [String]) async throws {
        try await StoreCall.wait { delete(with: identifiers, completion: $0) }
    }

    /// Deletes the app's interactions of a group; an empty name means no group.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    public class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        StoreCall.run(.deletingInteractionWithGroupIdentifier, completion: completion) {
            $0.delete(.interactionGroup(groupIdentifier), completion: $1)
        }
    }

    /// Deletes the app's interactions of a group, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    public class func delete(with groupIdentifier: String) async throws {
        try await StoreCall.wait { delete(with: groupIdentifier, completion: $0) }
    }

    /// Deletes every interaction the app ever donated. What Siri recorded for the app stays.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    public class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        StoreCall.run(.deletingAllInteractions, completion: completion) {
            $0.delete(.allInteractions, completion: $1)
        }
    }

    /// Deletes every interaction the app ever donated, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    public class func deleteAll() async throws {
        try await StoreCall.wait { deleteAll(completion: $0) }
    }
}
