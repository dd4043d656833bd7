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
        try await perform(writes: true) { core throws(DonationError) in
            try core.donate(donations)
        }
    }

    /// Stores interactions like the waiting form, without waiting.
    package func donate(
        _ donations: [Donation],
        completion: @escaping @Sendable (Result<[DonationOutcome], DonationError>) -> Void
    ) {
        submit(
            writes: true, { core throws(DonationError) in try core.donate(donations) },
            completion: completion)
    }

    // MARK: Activities

    /// Makes an activity the current one of this process, and stores an event of it.
    ///
    /// - Parameters:
    ///   - activity: A copy of the activity as it is now, of kind `.activity`.
    ///   - object: Which object of the app it is. Making the current object current again without
    ///     a change stores nothing (A8), unless it was deleted since.
    ///   - isSaved: Whether anything is stored: an activity for Handoff alone is only current.
    ///   - completion: Runs when it is on disk.
    package func becomeCurrent(
        _ activity: Donation, object: UInt64, isSaved: Bool = true,
        completion: @escaping @Sendable (Result<DonationOutcome, DonationError>) -> Void
    ) {
        submit(
            writes: true,
            { core throws(DonationError) in
                try core.becomeCurrent(activity, object: object, isSaved: isSaved)
            },
            completion: completion)
    }

    /// Stores an event of an activity, and the activity as it is now, without making it current.
    package func donateActivity(
        _ activity: Donation
    ) async throws(DonationError) -> DonationOutcome {
        try await perform(writes: true) { core throws(DonationError) in
            try core.store(activity, object: nil).outcome
        }
    }

    /// Stops advertising an object; what is stored stays (D15).
    ///
    /// - Parameter isGone: The object will not be current again: its private key is forgotten.
    package func resignCurrent(object: UInt64, isGone: Bool = false) {
        submit(writes: false) { core in
            if core.current?.object == object { core.current = nil }
            if isGone { core.objectKeys[object] = nil }
        } completion: { _ in
        }
    }

    /// Which object is current; nil: none, or what it stored was deleted meanwhile (D16).
    package func currentObject() async throws(DonationError) -> UInt64? {
        try await perform(writes: false) { core throws(DonationError) in
            guard let current = core.current else { return nil }
            guard current.savedKey != nil else { return current.object }
            return try core.isStored(current) ? current.object : nil
        }
    }

    // MARK: Outcomes

    /// Notes a refusal that was decided elsewhere, such as a value that cannot be kept (A17).
    package func note(_ outcome: DonationOutcome, kind: DonationKind, type: String) {
        submit(writes: true) { core throws(DonationError) in
            _ = try core.log("donate", kind: kind, type: type, outcome: outcome)
        } completion: { _ in
        }
    }

    /// The newest outcomes that one may want to know of, newest first: refusals, deletions and
    /// expiries; the store keeps the last thousand (M9).
    public func outcomes(limit: Int) async throws(DonationError) -> [LoggedOutcome] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.outcomes(limit: limit)
        }
    }
}

extension StoreCore {
    /// Stores interactions and App Intents records.
    fileprivate func donate(_ donations: [Donation]) throws(DonationError) -> [DonationOutcome] {
        guard donations.count <= DonationLimits.rowsMax else {
            throw DonationError(.invalid, "too many donations in one call")
        }
        var outcomes: [DonationOutcome] = []
        for donation in donations { outcomes.append(try donate(donation)) }
        return outcomes
    }
}
