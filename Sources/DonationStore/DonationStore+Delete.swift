public import Donations

extension DonationStore {
    /// What a deletion would remove; nothing changes.
    public func preview(
        _ selector: DonationSelector
    ) async throws(DonationError) -> DonationReceipt {
        preconditionFailure("not yet")
    }

    /// Removes what the selector means, with all that hangs on it. When this returns, it is gone
    /// for good (D26).
    @discardableResult
    public func delete(
        _ selector: DonationSelector, scope: DeletionScope = .thisDevice
    ) async throws(DonationError) -> DonationReceipt {
        preconditionFailure("not yet")
    }

    /// Removes like the waiting form, without waiting.
    package func delete(
        _ selector: DonationSelector, scope: DeletionScope = .thisDevice,
        completion: @escaping @Sendable (Result<DonationReceipt, DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    /// Removes App Intents records and says which ones, in their own names (D21).
    ///
    /// - Parameter selector: One of the App Intents cases.
    package func deleteAppIntents(
        _ selector: DonationSelector
    ) async throws(DonationError) -> [String] {
        preconditionFailure("not yet")
    }

    /// Removes everything the app ever told, of every kind, with settings and client states; the
    /// user's own voice shortcuts stay.
    @discardableResult
    public func eraseEverything(
        scope: DeletionScope = .thisDevice
    ) async throws(DonationError) -> [DonationReceipt] {
        preconditionFailure("not yet")
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

    /// Removes what is past its time. Items are hidden from that moment on anyway; before they go
    /// the renewer is asked (D13).
    @discardableResult
    public func expire() async throws(DonationError) -> [DonationReceipt] {
        preconditionFailure("not yet")
    }

    /// Is told of every deletion that is on disk, in order, on the store's thread.
    ///
    /// - Returns: What ends it when it is let go of.
    package func observeDeletions(
        _ body: @escaping @Sendable (DonationReceipt) -> Void
    ) -> DeletionObservation {
        preconditionFailure("not yet")
    }
}
