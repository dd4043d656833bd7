package import HTTPServer
import MockFaults

/// Does on the server's loop what a ``RequestOutcome`` says: sends responses, some of them later, holds requests at
/// gates, and runs jobs slice by slice.
package final class ResponseScheduler {
    package let batches: BatchCommitter
    package let clock: ServerClock
    package let faults: FaultEngine
    let responses: ResponseWriter
    package let observers: ExchangeObservers
    package let pushes: PushService
    let timers: PacedTimers
    package var gates = Gates()
    /// Requests that were released in the open batch, and continue in the next turn of the loop.
    private var released: [Gates.Held] = []
    var readings = ReadQueue<ExchangeID>()
    /// nil without sockets.
    package weak var loop: HTTPLoop?

    package init(
        _ batches: BatchCommitter, _ clock: ServerClock, _ faults: FaultEngine,
        _ responses: ResponseWriter, _ observers: ExchangeObservers, _ pushes: PushService,
        _ timers: PacedTimers
    ) {
        self.batches = batches
        self.clock = clock
        self.faults = faults
        self.responses = responses
        self.observers = observers
        self.pushes = pushes
        self.timers = timers
    }

    /// Does what is to happen after a request, or schedules it.
    package func run(_ outcome: RequestOutcome, _ exchange: ExchangeID, _ loop: HTTPLoop)
        -> HTTPAnswer
    {
        switch outcome {
        case .respond(let response, let delay):
            guard delay > .zero else { return .respond(response) }
            schedule(after: delay, exchange, loop) { .respond(response, after: .zero) }
        case .cut(let delay):
            guard delay > .zero else { return .cut }
            timers.schedule(after: delay, loop) { $0.cut(exchange) }
        case .poll(let token, let headers): pushes.hold(exchange, for: token, headers, loop)
        case .watch(let listener):
            observers.listeners.add(listener, exchange, observers, loop)
            return .respond(listener.response)
        case .job(let job, let response): begin(job, response, exchange, loop)
        case .hold(let hold, let facts, let next):
            return self.hold(exchange, hold, facts, loop, then: next)
        case .wait(let delay, let next): schedule(after: delay, exchange, loop, next)
        case .release(let held, let response):
            resume(held, loop)
            return .respond(response)
        }
        return .later
    }

    /// Continues with a request after a delay. By then its batch is committed: the one that is open then does not matter
    /// to its response.
    private func schedule(
        after delay: Duration, _ exchange: ExchangeID, _ loop: HTTPLoop,
        _ next: @escaping () -> RequestOutcome
    ) {
        let batch = batches.batch
        timers.schedule(after: delay, loop) { [self] loop in
            guard batch.outcome == .committed else { return fail(exchange, batch, loop) }
            send(run(next(), exchange, loop), survivesRollback: true, exchange, loop)
        }
    }

    private func send(
        _ answer: HTTPAnswer, survivesRollback: Bool, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) {
        switch answer {
        case .respond(var response):
            if survivesRollback { response.survivesRollback = true }
            loop.respond(to: exchange, response)
        case .cut: loop.cut(exchange)
        case .later: break
        }
    }

    /// Responds to a request that waited and whose batch was not committed.
    private func fail(_ exchange: ExchangeID, _ batch: CommitBatch, _ loop: HTTPLoop) {
        switch batch.outcome {
        case .committed, .rolledBack: loop.respond(to: exchange, responses.rollback)
        case .indeterminate: loop.cut(exchange)
        }
    }

    /// Continues with what waited for the batch that was committed.
    package func batchDidCommit(_ loop: HTTPLoop) {
        timers.follow(clock, loop)
        if !released.isEmpty {
            let held = released
            released = []
            loop.schedule(after: .zero) { [self] in resume(held, $0) }
        }
        pushes.deliver(loop)
    }

    /// Forgets jobs whose clients wait for a response.
    package func close() { readings = ReadQueue() }

    // MARK: - Gates

    /// Has a request wait until it is released or its time is up. It continues at once if the gate was removed since that
    /// was decided, as with its fault while the request waited at another.
    private func hold(
        _ exchange: ExchangeID, _ hold: GateHold, _ facts: HeldFacts, _ loop: HTTPLoop,
        then next: @escaping () -> RequestOutcome
    ) -> HTTPAnswer {
        guard !gates.areOpen,
            faults.plan.entries.contains(where: { $0.rule.hold?.gate == hold.gate })
        else { return run(next(), exchange, loop) }
        guard let number = gates.add(hold, facts, since: clock.now, exchange, batches.batch, next)
        else {
            // A request that was executed must not be answered as if it were not.
            guard !hold.point.isAfterCommit else { return .cut }
            return .respond(
                HTTPResponse(MockError(status: 503, "too many requests are held")))
        }
        let timer = loop.schedule(after: hold.deadline) { [weak self] loop in
            guard let self, let held = gates.expire(number) else { return }
            resume([held], loop)
        }
        gates.setTimer(timer, of: number)
        return .later
    }

    /// Continues with requests that were held, one after another.
    private func resume(_ held: [Gates.Held], _ loop: HTTPLoop) {
        loop.commitTurn()
        for request in held {
            if let timer = request.timer { loop.cancel(timer) }
            let isAfterCommit = request.hold.point.isAfterCommit
            guard !isAfterCommit || request.batch.outcome == .committed else {
                fail(request.exchange, request.batch, loop)
                continue
            }
            send(
                run(request.next(), request.exchange, loop),
                survivesRollback: isAfterCommit && request.batch !== batches.batch,
                request.exchange, loop)
        }
    }

    /// Releases every request; they continue in the next turn of the loop.
    package func releaseAll() { released += gates.release(nil, count: nil) }

    /// Releases every request, since the server stops.
    package func stop(_ loop: HTTPLoop) {
        gates.areOpen = true
        resume(gates.release(nil, count: nil), loop)
    }
}
