package import CloudModel

/// A database whose requests end in time.
package struct TimedDatabase<Time: Clock<Duration>>: CloudDatabase {
    private enum End: Sendable {
        case answer(Result<CloudReply, CloudError>)
        case timeIsUp
        case woken
    }
    private let base: any CloudDatabase
    private let limit: Duration
    private let clock: Time

    /// - Parameter limit: The time that a request may take.
    package init(_ base: any CloudDatabase, limit: Duration, clock: Time) {
        self.base = base
        self.limit = limit
        self.clock = clock
    }

    /// The other database's.
    package var address: Database.Address { base.address }

    /// Asks the other database, and stops when the time is up.
    ///
    /// - Throws: `networkFailure` when time is up for a request that changes nothing,
    ///   `responseLost` for one that may have been carried out.
    package func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let end = await withTaskGroup(of: End.self) { tasks in
            tasks.addTask { await answer(command) }
            tasks.addTask {
                do {
                    try await clock.sleep(for: limit)
                    return .timeIsUp
                } catch {
                    return .woken
                }
            }
            let first = await tasks.next()
            tasks.cancelAll()
            guard case .woken? = first else { return first }
            // The whole task was cancelled: the request says so itself.
            return await tasks.next()
        }
        switch end {
        case .answer(let result): return try result.get()
        case .timeIsUp, .woken, nil:
            throw CloudError(
                command.isModifying ? .responseLost : .networkFailure,
                reason: "the request's time limit was reached")
        }
    }

    private func answer(_ command: CloudCommand) async -> End {
        do throws(CloudError) {
            return .answer(.success(try await base.perform(command)))
        } catch {
            return .answer(.failure(error))
        }
    }
}
