package import Donations

extension DonationStore {
    /// Replaces a list, or one part of it (D17, D18, D20).
    ///
    /// - Parameters:
    ///   - kind: One of ``DonationKind/lists``.
    ///   - scope: The part: a vocabulary's type, a setting's name; empty where there is one part.
    package func replace(
        _ kind: DonationKind, scope: String = "", with entries: [ListEntry]
    ) async throws(DonationError) {
        preconditionFailure("not yet")
    }

    /// Replaces a list like the waiting form, without waiting.
    package func replace(
        _ kind: DonationKind, scope: String = "", with entries: [ListEntry],
        completion: @escaping @Sendable (Result<Void, DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    /// A list's entries, or those of one part, in order.
    package func entries(
        _ kind: DonationKind, scope: String? = nil
    ) async throws(DonationError) -> [ListEntry] {
        preconditionFailure("not yet")
    }
}
