package import Donations

extension DonationStore {
    // MARK: Interactions and App Intents records

    /// Stores interactions and App Intents records. Same identifier: same event, the last write
    /// wins (A2).
    ///
    /// - Returns: What became of each, in order.
    package func donate(
        _ donations: [Donation]
    ) async throws(DonationError) -> [DonationOutcome] {
        preconditionFailure("not yet")
    }

    /// Stores interactions like the waiting form, without waiting.
    package func donate(
        _ donations: [Donation],
        completion: @escaping @Sendable (Result<[DonationOutcome], DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    // MARK: Activities

    /// Makes an activity the current one of this process, and stores an event of it.
    ///
    /// - Parameters:
    ///   - activity: A copy of the activity as it is now, of kind `.activity`.
    ///   - object: Which object of the app it is. Making the current object current again without
    ///     a change stores nothing (A8), unless it was deleted since.
    ///   - completion: Runs when it is on disk.
    package func becomeCurrent(
        _ activity: Donation, object: UInt64,
        completion: @escaping @Sendable (Result<DonationOutcome, DonationError>) -> Void
    ) {
        preconditionFailure("not yet")
    }

    /// Stores an event of an activity, and the activity as it is now, without making it current.
    package func donateActivity(
        _ activity: Donation
    ) async throws(DonationError) -> DonationOutcome {
        preconditionFailure("not yet")
    }

    /// Stops advertising an object; what is stored stays (D15).
    package func resignCurrent(object: UInt64) { preconditionFailure("not yet") }

    /// Which object is current; nil: none, or what it stored was deleted meanwhile (D16).
    package func currentObject() async throws(DonationError) -> UInt64? {
        preconditionFailure("not yet")
    }

    // MARK: Outcomes

    /// Notes a refusal that was decided elsewhere, such as a value that cannot be kept (A17).
    package func note(_ outcome: DonationOutcome, kind: DonationKind, type: String) {
        preconditionFailure("not yet")
    }

    /// The newest outcomes, newest first; the store keeps the last thousand (M9).
    package func outcomes(limit: Int) async throws(DonationError) -> [LoggedOutcome] {
        preconditionFailure("not yet")
    }
}
