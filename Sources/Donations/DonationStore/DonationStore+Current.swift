private import AsyncOperations

extension DonationStore {
    @TaskLocal private static var scoped: DonationStore?
    private static let bootstrapped = Locked<DonationStore?>(nil)

    /// Opens the store that the calls of Apple's classes act on, for the whole process.
    public static func bootstrap(
        _ configuration: DonationConfiguration
    ) throws(DonationError) {
        let store = try DonationStore(configuration: configuration)
        bootstrapped.withLock { $0 = store }
    }

    /// Runs `body` with another store for it and its child tasks, for tests.
    public static func withStore<T: Sendable>(
        _ store: DonationStore, _ body: () async throws -> T
    ) async rethrows -> T {
        try await $scoped.withValue(store, operation: body)
    }

    /// Runs `body` with another store, for code that does not wait.
    public static func withStore<T>(
        _ store: DonationStore, _ body: () throws -> T
    ) rethrows -> T {
        try $scoped.withValue(store, operation: body)
    }

    /// The store that calls act on here; nil before ``bootstrap(_:)``.
    public static var current: DonationStore? { scoped ?? bootstrapped.withLock { $0 } }
}
