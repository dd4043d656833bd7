/// What is to be done also in a task that is cancelled.
enum Uncancelled {
    /// Runs a body to its end; it does not see whether the caller's task is cancelled.
    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // A task of its own has no parent to be cancelled with; it has ended when this returns.
        try await Task { try await body() }.value
    }
}
