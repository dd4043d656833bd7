/// One call, on its way to the store's thread.
struct Order: Sendable {
    /// Whether it changes anything.
    let writes: Bool
    /// Whether its commit waits for the disk. One that does not is lost with the power at worst, as
    /// a whole and with all that came after it; the next one that waits brings it to the disk.
    var waits = true
    /// Does the work in the open transaction, and gives what to call when it is on disk.
    let work: @Sendable (StoreCore) throws(DonationError) -> @Sendable () -> Void
    /// Called instead, with why nothing of it was done.
    let failed: @Sendable (DonationError) -> Void
}
