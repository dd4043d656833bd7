import AsyncOperations
import CloudModel

/// Sends requests: through the queue, with the one retry rule, counting.
///
/// Everything the engine sends goes through here, and nothing else repeats a request.
final class Courier: Sendable {
    private let queue: AsyncOperationQueue<Database.Address>
    private let world: SweepWorld
    private let limits: SweepRequest.Limits
    private let watch: Stopwatch
    private let state: Locked<State>

    private struct State: Sendable {
        var jitter: SeededGenerator
        var progress = SweepProgress()
        var signInNeeded: CloudError?
        var halted: CloudError?
        /// Requests in a row that used up their attempts without ever reaching the server.
        var unreachable = 0
    }

    /// Requests that may fail to reach the server, each to its last attempt, with no answer to
    /// any other in between. Then it is gone, and going on would take hours to say so.
    private static let unreachableMax = 3

    init(_ limits: SweepRequest.Limits, in world: SweepWorld) {
        let perKey = min(limits.perDatabase, limits.parallelism)
        queue = AsyncOperationQueue(
            limits: QueueLimits(total: limits.parallelism, perKey: perKey), clock: world.clock)
        self.world = world
        self.limits = limits
        watch = Stopwatch(world.clock)
        state = Locked(State(jitter: SeededGenerator(seed: world.seed)))
        let queue = queue
        world.stop.onStop { queue.drain() }
    }

    // MARK: What happened so far

    var elapsed: Duration { watch.elapsed }
    var progress: SweepProgress { state.withLock { $0.progress } }
    /// The first refusal of the credential, if there was one.
    var signInNeeded: CloudError? { state.withLock { $0.signInNeeded } }
    /// Why nothing more may be sent, if so.
    var halted: CloudError? { state.withLock { $0.halted } }
    var isStopped: Bool { world.stop.reason != nil || signInNeeded != nil || halted != nil }

    /// Changes the counters and tells of them.
    func note(_ change: @Sendable (inout SweepProgress) -> Void) {
        let progress = state.withLock { state in
            change(&state.progress)
            return state.progress
        }
        world.tell(.progress(progress))
    }

    // MARK: Sending

    /// Sends a command that changes nothing until it is answered or refused for good.
    func read(
        _ command: CloudCommand, from database: any CloudDatabaseReading, priority: Int = 0
    ) async throws(SweepFailure) -> CloudReply {
        var budget = RetryBudget(attempts: limits.attemptsMax)
        while true {
            do throws(SweepFailure) {
                return try await sendOnce(to: database.address, priority: priority) {
                    try await database.read(command)
                }
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                try await waitOrGiveUp(cloudError, &budget, at: database.address)
            }
        }
    }

    /// Sends a command once; what the failure means is for the caller to say.
    func send(
        _ command: CloudCommand, to database: any CloudDatabase
    ) async throws(SweepFailure) -> CloudReply {
        try await sendOnce(to: database.address, priority: 0) {
            try await database.perform(command)
        }
    }

    /// Waits as the retry rule says.
    ///
    /// - Throws: `refused` with `error` when it is lasting or no attempt is left; `stopped`.
    func waitOrGiveUp(
        _ error: CloudError, _ budget: inout RetryBudget, at address: Database.Address
    ) async throws(SweepFailure) {
        switch ErrorPolicy.decision(for: error.code) {
        case .waitAndRepeat(let counts):
            try await wait(error, &budget, counts: counts, at: address)
        case .reread, .afterTheOthers:
            try await wait(error, &budget, counts: true, at: address)
        case .signInAgain:
            state.withLock { $0.signInNeeded = $0.signInNeeded ?? error }
            queue.drain()
            throw .refused(error)
        case .stop:
            state.withLock { $0.halted = $0.halted ?? error }
            queue.drain()
            throw .refused(error)
        case .halve, .doneAlready, .report:
            throw .refused(error)
        }
    }

    /// Sleeps between two verification passes.
    func pause(_ duration: Duration) async throws(SweepFailure) {
        if isStopped { throw .stopped }
        if let most = limits.maxDuration, watch.elapsed + duration > most {
            world.stop.request(.outOfTime)
            throw .stopped
        }
        let watch = watch
        let sleeper = Task { try await watch.sleep(for: duration) }
        world.stop.onStop { sleeper.cancel() }
        _ = await sleeper.result
        if isStopped { throw .stopped }
    }

    // MARK: One attempt

    private func sendOnce(
        to address: Database.Address, priority: Int,
        _ work: @escaping @Sendable () async throws -> CloudReply
    ) async throws(SweepFailure) -> CloudReply {
        try checkTime()
        do {
            let reply = try await queue.run(key: address, priority: priority) {
                try self.checkTime()
                self.note {
                    $0.requests += 1
                    $0.inFlight += 1
                }
                defer { self.note { $0.inFlight -= 1 } }
                return try await work()
            }
            queue.succeeded(address)
            state.withLock { $0.unreachable = 0 }
            return reply
        } catch let error as CloudError {
            if error.code != .networkFailure && error.code != .responseLost {
                state.withLock { $0.unreachable = 0 }
            }
            throw .refused(error)
        } catch let error as SweepFailure {
            throw error
        } catch {
            throw .stopped
        }
    }

    /// Ends the run when the server cannot be reached any more.
    private func noteGivenUp(_ error: CloudError) {
        guard error.code == .networkFailure else { return }
        let isGone = state.withLock { state in
            state.unreachable += 1
            guard state.unreachable >= Self.unreachableMax else { return false }
            state.halted = state.halted ?? error
            return true
        }
        if isGone { queue.drain() }
    }

    private func checkTime() throws(SweepFailure) {
        if let most = limits.maxDuration, watch.elapsed >= most {
            world.stop.request(.outOfTime)
        }
        if isStopped { throw .stopped }
    }

    /// Holds all work on the database for the wait; the next attempt stands in line behind it.
    private func wait(
        _ error: CloudError, _ budget: inout RetryBudget, counts: Bool, at address: Database.Address
    ) async throws(SweepFailure) {
        if isStopped { throw .stopped }
        var jitter = state.withLock { state in
            let seed = state.jitter.next()
            return SeededGenerator(seed: seed)
        }
        guard let wait = budget.wait(after: error, countsAsAttempt: counts, jitter: &jitter)
        else {
            noteGivenUp(error)
            throw .refused(error)
        }
        if let most = limits.maxDuration, watch.elapsed + wait > most {
            world.stop.request(.outOfTime)
            throw .stopped
        }
        note { $0.retries += 1 }
        let attempt = limits.attemptsMax - budget.attemptsLeft
        world.tell(
            .waiting(
                address.container, address.scope, error.code, wait: wait, attempt: attempt))
        queue.throttled(address, wait: wait)
    }
}
