import Basics
public import Donations

extension DonationStore {
    /// What a deletion would remove; nothing changes.
    public func preview(
        _ selector: DonationSelector, scope: DeletionScope = .everywhere
    ) async throws(DonationError) -> DonationReceipt {
        // A transaction of its own kind is not needed: nothing is written but the temporary keys.
        try await perform(writes: false) { core throws(DonationError) in
            try core.delete(selector, scope: scope, isPreview: true)
        }
    }

    /// Removes what the selector means, with all that hangs on it. When this returns, it is deleted
    /// for good on this device (D26).
    ///
    /// - Parameter scope: While donations are exchanged, `.everywhere` deletes it on the person's
    ///   other devices too, once they sync. See ``DeletionScope/everywhere``.
    @discardableResult
    public func delete(
        _ selector: DonationSelector, scope: DeletionScope = .everywhere
    ) async throws(DonationError) -> DonationReceipt {
        let result = await withCheckedContinuation { continuation in
            delete(selector, scope: scope) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// A receipt of this store without the caller's own words, under the store's digest: what may
    /// be shown to others, or kept. A receipt itself is for whoever asked for the deletion.
    public func redacted(_ receipt: DonationReceipt) -> DonationReceipt {
        receipt.redacted { Hexadecimal.encode(configuration.digested(Array($0.utf8))) }
    }

    /// Removes like the waiting form, without waiting.
    package func delete(
        _ selector: DonationSelector, scope: DeletionScope = .everywhere,
        completion: @escaping @Sendable (Result<DonationReceipt, DonationError>) -> Void
    ) {
        submit(
            writes: true,
            { core throws(DonationError) in try core.delete(selector, scope: scope) },
            completion: completion)
    }

    /// Removes App Intents records on all devices, and says which ones were here, in their own
    /// names (D21).
    ///
    /// - Parameter selector: One of the App Intents cases.
    package func deleteAppIntents(
        _ selector: DonationSelector
    ) async throws(DonationError) -> [String] {
        try await perform(writes: true) { core throws(DonationError) in
            let names = try core.names(.appIntent, meantBy: selector)
            _ = try core.delete(selector, scope: .everywhere)
            return names
        }
    }

    /// Removes everything the app ever told, of every kind, with settings and client states; the
    /// user's own voice shortcuts stay. The file is rewritten, so that no byte of it is left in
    /// free pages.
    ///
    /// - Parameter scope: This device only unless asked for otherwise: what is called at a sign-out
    ///   must not empty the devices that are still signed in.
    @discardableResult
    public func eraseEverything(
        scope: DeletionScope = .thisDevice
    ) async throws(DonationError) -> [DonationReceipt] {
        [
            try await perform(writes: true) { core throws(DonationError) in
                try core.erase(scope)
            }
        ]
    }

    /// Removes all activities of a type that the app no longer has.
    @discardableResult
    public func retire(activityType: String) async throws(DonationError) -> DonationReceipt {
        try await delete(.activityType(activityType), scope: .everywhere)
    }

    /// Removes all donations of an intent that the app no longer has.
    @discardableResult
    public func retire(intentClass: String) async throws(DonationError) -> DonationReceipt {
        try await delete(.intentClass(intentClass), scope: .everywhere)
    }
}
