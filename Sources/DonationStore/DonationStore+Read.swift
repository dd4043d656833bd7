public import Donations

extension DonationStore {
    /// Rows of a kind in the order in which they were stored.
    ///
    /// - Parameters:
    ///   - after: The last row already seen; 0 from the beginning.
    ///   - limit: At most 10,000.
    package func list(
        _ kind: DonationKind, after: Int64 = 0, limit: Int = 1000
    ) async throws(DonationError) -> [Donation] {
        preconditionFailure("not yet")
    }

    /// The rows that a selector means, in the order in which they were stored.
    package func list(
        _ selector: DonationSelector, limit: Int
    ) async throws(DonationError) -> [Donation] {
        preconditionFailure("not yet")
    }

    /// How many rows there are of each kind.
    public func counts() async throws(DonationError) -> [DonationKind: Int] {
        preconditionFailure("not yet")
    }

    /// What still mentions one of these strings: as a key, as a part of a domain, as somebody's
    /// handle, in a parameter or inside a text (F25).
    public func remainder(
        mentioning: Set<String>
    ) async throws(DonationError) -> [DonationReceipt.Entry] {
        preconditionFailure("not yet")
    }

    // MARK: Restricted containers

    /// Suspends what is linked to a container: neither suggested nor searchable, and nothing new
    /// is taken, until it is lifted (F60).
    public func restrict(container: String) async throws(DonationError) {
        preconditionFailure("not yet")
    }

    /// Lifts a restriction; everything is as before.
    public func unrestrict(container: String) async throws(DonationError) {
        preconditionFailure("not yet")
    }

    /// The restricted containers, in order.
    public func restrictedContainers() async throws(DonationError) -> [String] {
        preconditionFailure("not yet")
    }
}
