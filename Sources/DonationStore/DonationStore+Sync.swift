extension DonationStore {
    /// Runs one step of a sync in a transaction of its own: what it stores, and the donations it
    /// removes, are on disk together when this returns, or not at all.
    package func sync<Value: Sendable>(
        _ work: @escaping @Sendable (inout StoreSync) throws(DonationError) -> Value
    ) async throws(DonationError) -> Value {
        let (value, receipts) = try await perform(writes: true) { core throws(DonationError) in
            var sync = StoreSync(core)
            let value = try work(&sync)
            return (value, core.takeSyncReceipts())
        }
        for receipt in receipts { tell(receipt) }
        return value
    }

    /// Looks at what a sync keeps; changes nothing.
    package func syncState<Value: Sendable>(
        _ work: @escaping @Sendable (StoreSync) throws(DonationError) -> Value
    ) async throws(DonationError) -> Value {
        try await perform(writes: false) { core throws(DonationError) in
            try work(StoreSync(core))
        }
    }
}
