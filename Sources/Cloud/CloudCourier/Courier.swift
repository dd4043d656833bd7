import AsyncOperations
import Basics
package import CloudModel

/// Sends requests: through the queue, with the one retry rule, counting.
///
/// Everything that is sent goes through here, and nothing else repeats a request.
package final class Courier: Sendable {
    private let queue: AsyncOperationQueue<Database.Address>
    private let limits: Limits
    private let stop: StopSignal
    private let tell: @Sendable (Event) -> Void
    private let watch: Stopwatch
    private let state: Locked<State>

    private struct State: Sendable {
        var jitter: SeededGenerator
        var counts = Counts()
        var signInNeeded: CloudError?
        var halted: CloudError?
        /// Requests in a row that used up their attempts without ever reaching the server.
        var unreachable = 0
        /// Whether the server has been reached at all.
        var wasReached = false
        var waits: [Database.Address: Wait] = [:]
    }

    /// How long a database has had us wait so far, and until when it does.
    private struct Wait: Sendable {
        var total = Duration.zero
        var until = Duration.zero

        /// With one more wait, from `now` on. Requests that wait together wait once.
        func adding(_ wait: Duration, at now: Duration) -> Wait {
            let end = now + wait
            return Wait(
                total: total + max(.zero, end - max(until, now)), until: max(until, end))
        }
    }

    /// Requests that may fail to reach the server, each to its last attempt, with no answer to
    /// any other in between. Then it is gone, and going on would take hours to say so.
    private static let unreachableMax = 3

    /// Attempts at a server that was never reached: its name is rather wrong than its network down.
    private static let firstAttemptsMax = 5

    /// - Parameters:
    ///   - clock: For waiting.
    ///   - seed: For the jitter of the waits.
    ///   - tell: Told of everything that happens, from any thread; must be quick.
    package init(
        _ limits: Limits, clock: any Clock<Duration>, seed: UInt64, stop: StopSignal,
        tell: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        let perKey = min(limits.perDatabase, limits.parallelism)
        queue = AsyncOperationQueue(
            limits: QueueLimits(total: limits.parallelism, perKey: perKey), clock: clock)
        self.limits = limits
        self.stop = stop
        self.tell = tell
        watch = Stopwatch(clock)
        state = Locked(State(jitter: SeededGenerator(seed: seed)))
        let queue = queue
        stop.onStop { queue.drain() }
    }

    // MARK: What happened so far

    package var elapsed: Duration { watch.elapsed }
    package var counts: Counts { state.withLock { $0.counts } }
    /// The first refusal of the credential, if there was one.
    package var signInNeeded: CloudError? { state.withLock { $0.signInNeeded } }
    /// Why nothing more may be sent, if so.
    package var halted: CloudError? { state.withLock { $0.halted } }
    package var isStopped: Bool { stop.reason != nil || signInNeeded != nil || halted != nil }

    private func count(_ change: @Sendable (inout Counts) -> Void) {
        let counts = state.withLock { state in
            change(&state.counts)
            return state.counts
        }
        tell(.counted(counts))
    }

    // MARK: Sending

    /// Sends a command that changes nothing until it is answered or refused for good.
    ///
    /// - Parameter person: Who is signed in, where that is known: an answer about anybody else's
    ///   data is none.
    package func read(
        _ command: CloudRead, from database: any CloudDatabaseReading, for person: String? = nil,
        priority: Int = 0
    ) async throws(Failure) -> CloudReply {
        var budget = RetryBudget(attempts: limits.attemptsMax)
        while true {
            do throws(Failure) {
                return try await lookOnce(
                    command, from: database, for: person, priority: priority)
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                try await waitOrGiveUp(cloudError, &budget, at: database.address)
            }
        }
    }

    /// Asks something that is no command of a database, until it is answered or refused for good.
    ///
    /// - Parameters:
    ///   - address: The database that it is about, whose waits and limits it shares.
    ///   - question: Changes nothing; what it found out is its own business.
    package func ask(
        at address: Database.Address, _ question: @escaping @Sendable () async throws -> Void
    ) async throws(Failure) {
        var budget = RetryBudget(attempts: limits.attemptsMax)
        while true {
            do throws(Failure) {
                _ = try await sendOnce(to: address, priority: 0) {
                    try await question()
                    return .done
                }
                return
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                try await waitOrGiveUp(cloudError, &budget, at: address)
            }
        }
    }

    /// Sends a command that changes nothing once; what the failure means is for the caller to say.
    package func lookOnce(
        _ command: CloudRead, from database: any CloudDatabaseReading, for person: String? = nil,
        priority: Int = 0
    ) async throws(Failure) -> CloudReply {
        try await sendOnce(to: database.address, priority: priority) {
            let reply = try await database.read(command)
            try ReplyCheck.check(
                reply, answers: command, in: database.address.scope, for: person)
            return reply
        }
    }

    /// Sends a change once, straight after the answer that `person` is signed in: no wait and no
    /// other request of the same slot comes between the two.
    ///
    /// - Throws: `otherPerson`, and nothing was changed; else as ``send(_:to:for:)``.
    package func send(
        _ write: CloudWrite, to database: any CloudDatabase, afterAskingFor person: String
    ) async throws(Failure) -> CloudReply {
        try await sendOnce(to: database.address, priority: 0) {
            let who = try await database.read(.caller)
            try ReplyCheck.check(who, answers: CloudRead.caller, in: database.address.scope)
            guard case .user(let user) = who, user.userRecordName == person else {
                throw Failure.otherPerson
            }
            try self.checkTime()
            self.count { $0.requests += 1 }
            let reply = try await database.write(write)
            try ReplyCheck.check(
                reply, answers: write, in: database.address.scope, for: person)
            return reply
        }
    }

    /// Sends a change once; what the failure means is for the caller to say.
    package func send(
        _ write: CloudWrite, to database: any CloudDatabase, for person: String? = nil
    ) async throws(Failure) -> CloudReply {
        try await sendOnce(to: database.address, priority: 0) {
            let reply = try await database.write(write)
            try ReplyCheck.check(
                reply, answers: write, in: database.address.scope, for: person)
            return reply
        }
    }

    /// Waits as the retry rule says.
    ///
    /// - Throws: `refused` with `error` when it is lasting or no attempt is left; `stopped`.
    package func waitOrGiveUp(
        _ error: CloudError, _ budget: inout RetryBudget, at address: Database.Address
    ) async throws(Failure) {
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

    /// Sleeps between two looks, unless somebody asks to stop or the time is over before.
    package func pause(_ duration: Duration) async throws(Failure) {
        if isStopped { throw .stopped }
        if let most = limits.maxDuration, watch.elapsed + duration > most {
            stop.request(.outOfTime)
            throw .stopped
        }
        let watch = watch
        let sleeper = Task { try await watch.sleep(for: duration) }
        let listener = stop.onStop { sleeper.cancel() }
        defer { stop.forget(listener) }
        _ = await sleeper.result
        if isStopped { throw .stopped }
    }

    // MARK: One attempt

    private func sendOnce(
        to address: Database.Address, priority: Int,
        _ work: @escaping @Sendable () async throws -> CloudReply
    ) async throws(Failure) -> CloudReply {
        try checkTime()
        do {
            let reply = try await queue.run(key: address, priority: priority) {
                try self.checkTime()
                self.count {
                    $0.requests += 1
                    $0.inFlight += 1
                }
                defer { self.count { $0.inFlight -= 1 } }
                do {
                    let reply = try await self.whileTimeLasts(work)
                    self.hold(address, for: reply.longestWait)
                    return reply
                } catch let error as CloudError {
                    self.hold(address, for: error.retryAfter)
                    throw error
                }
            }
            queue.succeeded(address)
            state.withLock { state in
                state.unreachable = 0
                state.wasReached = true
            }
            return reply
        } catch let error as CloudError {
            // Taken off its connection because the time is over: whether it was carried out is
            // not known, and nobody waits to find out.
            if error.code == .cancelled, isStopped { throw .stopped }
            if error.code != .networkFailure {
                state.withLock { state in
                    state.wasReached = true
                    if error.code != .responseLost { state.unreachable = 0 }
                }
            }
            throw .refused(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw .stopped
        }
    }

    /// Runs the work of one request, and ends it early when the time of the run is over. Another
    /// reason to stop lets it finish.
    private func whileTimeLasts(
        _ work: @escaping @Sendable () async throws -> CloudReply
    ) async throws -> CloudReply {
        let request = Task { try await work() }
        let listener = stop.onStop { [stop] in
            if stop.reason == .outOfTime { request.cancel() }
        }
        defer { stop.forget(listener) }
        return try await withTaskCancellationHandler {
            try await request.value
        } onCancel: {
            request.cancel()
        }
    }

    /// Holds all work on a database as long as the server asks, before the slot is given on: nothing
    /// else is sent there meanwhile. Nothing is held for a wait that is given up.
    private func hold(_ address: Database.Address, for wait: Duration?) {
        guard let wait, wait > .zero else { return }
        let isGivenUp = state.withLock { state in
            state.waits[address, default: Wait()].adding(wait, at: watch.elapsed).total
                > limits.waitMax
        }
        queue.throttled(address, wait: isGivenUp ? .zero : wait)
    }

    /// Attempts that a request gets which failed like this.
    private func attempts(after error: CloudError) -> Int {
        guard error.code == .networkFailure, !state.withLock({ $0.wasReached }) else {
            return limits.attemptsMax
        }
        return min(limits.attemptsMax, Self.firstAttemptsMax)
    }

    /// Ends the run when the server cannot be reached any more, or never could.
    private func noteGivenUp(_ error: CloudError) {
        guard error.code == .networkFailure else { return }
        let isGone = state.withLock { state in
            state.unreachable += 1
            guard state.unreachable >= Self.unreachableMax || !state.wasReached else {
                return false
            }
            state.halted = state.halted ?? error
            return true
        }
        if isGone { queue.drain() }
    }

    private func checkTime() throws(Failure) {
        if let most = limits.maxDuration, watch.elapsed >= most {
            stop.request(.outOfTime)
        }
        if isStopped { throw .stopped }
    }

    /// Holds all work on the database for the wait; the next attempt stands in line behind it.
    private func wait(
        _ error: CloudError, _ budget: inout RetryBudget, counts: Bool, at address: Database.Address
    ) async throws(Failure) {
        if isStopped { throw .stopped }
        var jitter = state.withLock { state in
            let seed = state.jitter.next()
            return SeededGenerator(seed: seed)
        }
        let attempts = attempts(after: error)
        guard let wait = budget.wait(after: error, countsAsAttempt: counts, jitter: &jitter),
            limits.attemptsMax - budget.attemptsLeft < attempts
        else {
            noteGivenUp(error)
            throw .refused(error)
        }
        if let most = limits.maxDuration, watch.elapsed + wait > most {
            stop.request(.outOfTime)
            throw .stopped
        }
        let waited = state.withLock { state in
            let waited = state.waits[address, default: Wait()].adding(wait, at: watch.elapsed)
            // What is given up is not waited for.
            if waited.total <= limits.waitMax { state.waits[address] = waited }
            return waited.total
        }
        guard waited <= limits.waitMax else {
            throw .refused(
                CloudError(
                    error.code,
                    reason:
                        "the server asks to wait \(DurationText.render(wait)) more, and the "
                        + "limit for this database is \(DurationText.render(limits.waitMax)): "
                        + error.reason,
                    retryAfter: error.retryAfter, httpStatus: error.httpStatus))
        }
        queue.throttled(address, wait: wait)
        count { $0.retries += 1 }
        let attempt = limits.attemptsMax - budget.attemptsLeft
        tell(.waiting(address, error.code, wait: wait, attempt: attempt, of: attempts))
    }
}
