extension DonationStore {
    /// Runs one step of a sync in a transaction of its own: what it stores, and the donations it
    /// removes, are stored together when this returns, or not at all.
    ///
    /// - Parameter waits: Whether it is on disk then. For a page of a feed it need not be: when the
    ///   power fails, page and position are lost together and read again. Whoever has read all
    ///   calls ``waitForDisk()``.
    package func sync<Value: Sendable>(
        waits: Bool = true,
        _ work: @escaping @Sendable (inout StoreSync) throws(DonationError) -> Value
    ) async throws(DonationError) -> Value {
        try await perform(writes: true, waits: waits) { core throws(DonationError) in
            var sync = StoreSync(core)
            return try work(&sync)
        }
    }

    /// Waits until every step of a sync is on disk.
    package func waitForDisk() async throws(DonationError) {
        try await perform(writes: true) { core throws(DonationError) in
            // A commit without a change would write nothing, and wait for nothing.
            _ = try core.next("disk")
        }
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
