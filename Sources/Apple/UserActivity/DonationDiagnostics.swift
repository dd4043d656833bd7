internal import AsyncOperations

/// Where refusals and warnings go that Apple's interface cannot return.
///
/// `becomeCurrent()` returns nothing, so what went wrong is kept in the store's outcome log and
/// told to the handler set here. ``withHandler(_:_:)`` is for tests: it covers the calls that a
/// task makes, and no others.
public enum DonationDiagnostics {
    /// Takes one refusal or warning; it may be called on any thread.
    public typealias Handler = @Sendable (UserActivityError) -> Void

    private static let processHandler = Locked<Handler?>(nil)
    @TaskLocal private static var scope: Scope?

    private struct Scope: Sendable {
        let handler: Handler
    }

    /// Sets who is told of the refusals of the whole process; nil for nobody.
    public static func setHandler(_ handler: Handler?) {
        processHandler.withLock { $0 = handler }
    }

    /// Runs `body` with a handler of its own for the calls made in it.
    public static func withHandler<T: Sendable>(
        _ handler: @escaping Handler, _ body: () async throws -> T
    ) async rethrows -> T {
        try await $scope.withValue(Scope(handler: handler), operation: body)
    }

    /// The handler for a call made now.
    static var current: Handler? {
        if let scope { return scope.handler }
        return processHandler.withLock { $0 }
    }
}
