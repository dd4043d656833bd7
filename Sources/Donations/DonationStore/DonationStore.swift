import AsyncOperations

/// Everything an app told the system about its user, on disk: to be looked at, to be deleted by
/// Apple's rules, and to be shown to be gone.
///
/// One SQLite file per app, shared with its extensions. All calls of one process take effect in
/// the order in which they were made, whether they wait or not (A21), on a thread of the store's
/// own: a class with a queue and not an actor, because calls with completion handlers come from
/// code that cannot wait, and a task of their own would lose the order. Calls that wait together
/// share one commit. When a call returns, what it did is on disk.
public final class DonationStore: Sendable {
    /// What the store was opened with.
    package let configuration: DonationConfiguration
    /// Whether the device counts as locked.
    let lockedDevice = Locked(false)
    let renewers = Locked<[String: any ItemRenewer]>([:])
    private let thread: StoreThread

    /// Opens the store, or makes it.
    ///
    /// - Throws: `DonationError` when the file cannot be used or is not a donation store.
    public init(configuration: DonationConfiguration) throws(DonationError) {
        self.configuration = configuration
        thread = try StoreThread(configuration)
    }

    // MARK: Work in order

    /// Runs `work` on the store's thread after everything asked before, in the open transaction.
    ///
    /// For the parts of this module; a thrown error undoes this work alone.
    func perform<Result: Sendable>(
        writes: Bool, waits: Bool = true,
        _ work: @escaping @Sendable (StoreCore) throws(DonationError) -> Result
    ) async throws(DonationError) -> Result {
        let result = await withCheckedContinuation { continuation in
            var order = Self.order(writes: writes, work) { continuation.resume(returning: $0) }
            order.waits = waits
            thread.post(order)
        }
        return try result.get()
    }

    /// Runs `work` like the waiting form, for callers that cannot wait: the order is that of the
    /// calls. `completion` runs on the store's thread when all is on disk; it must not wait.
    func submit<Result: Sendable>(
        writes: Bool, _ work: @escaping @Sendable (StoreCore) throws(DonationError) -> Result,
        completion: @escaping @Sendable (Swift.Result<Result, DonationError>) -> Void
    ) {
        thread.post(Self.order(writes: writes, work, completion: completion))
    }

    private static func order<Result: Sendable>(
        writes: Bool, _ work: @escaping @Sendable (StoreCore) throws(DonationError) -> Result,
        completion: @escaping @Sendable (Swift.Result<Result, DonationError>) -> Void
    ) -> Order {
        Order(
            writes: writes,
            work: { core throws(DonationError) in
                let result = try work(core)
                return { completion(.success(result)) }
            }, failed: { completion(.failure($0)) })
    }

    /// Waits until everything asked before is on disk.
    public func flush() async throws(DonationError) {
        try await perform(writes: false) { _ in }
    }

    /// Waits until everything asked before is on disk, and takes nothing more (M3). The
    /// write-ahead log is emptied into the file.
    public func flushAndClose() async {
        await withCheckedContinuation { continuation in
            let order = Self.order(writes: false) {
                $0.closesAfterwards()
            } completion: { _ in
                continuation.resume()
            }
            thread.post(order, isLast: true)
        }
        thread.join()
    }
}
