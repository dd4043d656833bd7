private import AsyncOperations

/// One connection to PostgreSQL, on a thread of its own.
///
/// Connects when it is first used, and again after it was lost; repeats nothing by itself. Each call is
/// one transaction: all of its statements go out together and are committed together, or none is.
package actor Connection {
    private let executor = ThreadExecutor(label: "postgresql")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    package nonisolated let settings: ConnectionSettings
    private let waker = Waker()
    private nonisolated let callers = Locked(0)
    private var link: Link?
    private var isClosed = false

    /// Does nothing yet.
    package init(_ settings: ConnectionSettings) { self.settings = settings }

    /// Carries out statements as one transaction.
    ///
    /// A cancelled task closes the connection at once: what the server is doing for it ends within a
    /// second.
    ///
    /// - Returns: The rows of each statement.
    package nonisolated func run(
        _ statements: [Statement]
    ) async throws(PostgreSQLError) -> [[Row]] {
        let mayWait = callers.withLock { count in
            count += 1
            return count <= settings.limits.callers
        }
        defer { callers.withLock { $0 -= 1 } }
        guard mayWait else {
            throw PostgreSQLError(
                .busy, "\(settings.limits.callers) callers are waiting already",
                mayHaveBeenCommitted: false)
        }
        let call = Waker.Call()
        let end = ContinuousClock.now + settings.limits.answer
        let result = await withTaskCancellationHandler {
            await outcome(of: statements, for: call, until: end)
        } onCancel: { [waker] in
            waker.cancel(call)
        }
        return try result.get()
    }

    /// Carries out one statement.
    package nonisolated func run(
        _ sql: String, _ values: Value...
    ) async throws(PostgreSQLError) -> [Row] {
        try await run([Statement(sql, values: values)])[0]
    }

    /// Ends the connection; nothing is carried out after that.
    package func close() {
        isClosed = true
        link = nil
    }

    /// Typed throws do not pass through a cancellation handler.
    private func outcome(
        of statements: [Statement], for call: Waker.Call, until end: ContinuousClock.Instant
    ) -> Result<[[Row]], PostgreSQLError> {
        Result { () throws(PostgreSQLError) in try perform(statements, for: call, until: end) }
    }

    private func perform(
        _ statements: [Statement], for call: Waker.Call, until end: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> [[Row]] {
        guard !isClosed else {
            throw PostgreSQLError(
                .closed, "the connection was closed", mayHaveBeenCommitted: false)
        }
        let limits = settings.limits
        guard statements.count <= limits.statements,
            statements.reduce(0, { $0 + $1.byteCount }) <= limits.bytesSent
        else {
            throw PostgreSQLError(
                .tooLarge, "more than one transaction may hold", mayHaveBeenCommitted: false)
        }
        try checkTime(call, end)
        let link = try opened(for: call)
        try checkTime(call, end)
        do throws(PostgreSQLError) {
            return try link.run(statements, for: call, until: end)
        } catch {
            if error.code != .refused || !link.isUsable { self.link = nil }
            throw error
        }
    }

    /// Nothing is sent for a call whose turn, or whose server, comes too late.
    private func checkTime(
        _ call: Waker.Call, _ end: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        guard !call.isCancelled else {
            throw PostgreSQLError(.cancelled, "cancelled", mayHaveBeenCommitted: false)
        }
        guard ContinuousClock.now < end else {
            throw PostgreSQLError(
                .timedOut, "waited too long for its turn", mayHaveBeenCommitted: false)
        }
    }

    /// One that has ended unseen, or knows too many statements, is not used again.
    private func opened(for call: Waker.Call) throws(PostgreSQLError) -> Link {
        if let link, link.isUsable, link.preparedCount < settings.limits.prepared { return link }
        link = nil
        let made = try Link(settings, for: call, waker: waker)
        link = made
        return made
    }
}
