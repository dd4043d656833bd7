/// The queue behind ``AsyncOperationQueue``, for keys that are numbers: not generic, so that the
/// compiler makes one fast copy of it here.
///
/// ``SlotLedger`` decides; this parks tasks and wakes them, always outside the lock.
final class QueueCore: Sendable {
    /// A hold is looked at again at least this often, so that no clock is asked for years.
    private static let napMax = Duration.seconds(3600)

    private let watch: Stopwatch
    private let state: Locked<State>

    init(limits: QueueLimits, clock: any Clock<Duration>) {
        watch = Stopwatch(clock)
        state = Locked(State(ledger: SlotLedger(limits: limits)))
    }

    deinit { state.withLock { $0.timer }?.task.cancel() }

    func finish(_ id: OperationID) {
        change { state, now in state.ledger.finish(id, now: now) }
    }

    func succeeded(_ key: Int) {
        change { state, now in state.ledger.succeeded(key, now: now) }
    }

    func throttled(_ key: Int, wait: Duration) {
        change { state, now in state.ledger.throttled(key, wait: wait, now: now) }
    }

    func drain() {
        change { state, now in
            state.isDraining = true
            for id in state.ledger.cancelAll(now: now) { state.decide(id, .drained) }
        }
    }

    func idle() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            change { state, _ in state.idlers.append(continuation) }
        }
    }

    var statistics: QueueStatistics<Int> {
        let now = watch.elapsed
        return state.withLock { $0.ledger.statistics(now: now) }
    }

    /// Which of these keys have work, are held, or were used lately.
    func known(_ keys: some Sequence<Int>) -> Set<Int> {
        state.withLock { state in Set(keys.filter { state.ledger.knows($0) }) }
    }

    // MARK: Waiting

    /// Returns when the operation runs; its slot must then be given back.
    ///
    /// - Throws: `CancellationError` or ``OperationQueueDrained`` when it does not start.
    func waitForSlot(_ key: Int, priority: Int) async throws -> OperationID {
        let id = change { state, now in
            let id = state.ledger.enqueue(key: key, priority: priority, now: now)
            state.waiters[id] = .arriving
            if state.isDraining {
                state.settle(id, .drained, now)
            } else if Task.isCancelled {
                state.settle(id, .cancelled, now)
            }
            return id
        }
        // What was decided at once needs no parking.
        let decided = state.withLock { $0.takeSettlement(id) }
        let settlement =
            if let decided { decided } else {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { park(id, $0) }
                } onCancel: {
                    change { state, now in state.settle(id, .cancelled, now) }
                }
            }
        switch settlement {
        case .started: return id
        case .cancelled: throw CancellationError()
        case .drained: throw OperationQueueDrained()
        }
    }

    private func park(_ id: OperationID, _ continuation: CheckedContinuation<Settlement, Never>) {
        let decided = state.withLock { state in
            let decided = state.takeSettlement(id)
            if decided == nil { state.waiters[id] = .parked(continuation) }
            return decided
        }
        if let decided { continuation.resume(returning: decided) }
    }

    // MARK: The one way to change anything

    /// Changes the state, lets start what may, and wakes tasks after the lock is left.
    @discardableResult
    private func change<Result: Sendable>(
        _ body: (inout State, Duration) -> Result
    ) -> Result {
        let now = watch.elapsed
        let (result, wakeUps, oldTimer) = state.withLock { state in
            let result = body(&state, now)
            while let id = state.ledger.startNext(now: now) { state.decide(id, .started) }
            let oldTimer = setTimer(&state, now)
            return (result, state.takeWakeUps(), oldTimer)
        }
        oldTimer?.cancel()
        for wakeUp in wakeUps { wakeUp() }
        return result
    }

    /// Has the queue looked at again when the next hold ends; returns a timer no longer needed.
    private func setTimer(_ state: inout State, _ now: Duration) -> Task<Void, Never>? {
        guard let wake = state.ledger.nextWake else {
            defer { state.timer = nil }
            return state.timer?.task
        }
        let deadline = min(wake, now + Self.napMax)
        if let timer = state.timer, timer.deadline <= deadline { return nil }
        let old = state.timer?.task
        state.timerCount += 1
        let number = state.timerCount
        // Owned by `state.timer`: cancelled when replaced and when the queue is let go of.
        let task = Task { [weak self, watch] in
            guard (try? await watch.sleep(for: deadline - now)) != nil else { return }
            self?.change { state, _ in
                if state.timer?.number == number { state.timer = nil }
            }
        }
        state.timer = Timer(deadline: deadline, number: number, task: task)
        return old
    }

    // MARK: State

    /// How the wait for a slot ended.
    private enum Settlement: Sendable { case started, cancelled, drained }

    /// A task between asking for a slot and getting its answer.
    private enum Waiter {
        /// On its way to its continuation.
        case arriving
        case parked(CheckedContinuation<Settlement, Never>)
        /// Decided while it was on its way.
        case settled(Settlement)
    }

    private struct Timer {
        let deadline: Duration
        let number: UInt64
        let task: Task<Void, Never>
    }

    private struct State {
        var ledger: SlotLedger<Int>
        var waiters: [OperationID: Waiter] = [:]
        var idlers: [CheckedContinuation<Void, Never>] = []
        var timer: Timer?
        var timerCount: UInt64 = 0
        var isDraining = false
        private var decided: [(CheckedContinuation<Settlement, Never>, Settlement)] = []

        init(ledger: SlotLedger<Int>) { self.ledger = ledger }

        /// Notes the answer for a task, which is woken after the lock is left.
        mutating func decide(_ id: OperationID, _ settlement: Settlement) {
            switch waiters[id] {
            case .parked(let continuation):
                waiters[id] = nil
                decided.append((continuation, settlement))
            case .arriving: waiters[id] = .settled(settlement)
            case .settled, nil: break
            }
        }

        /// Ends a wait without a start; does nothing when the operation has started.
        mutating func settle(_ id: OperationID, _ settlement: Settlement, _ now: Duration) {
            if ledger.cancel(id, now: now) { decide(id, settlement) }
        }

        mutating func takeSettlement(_ id: OperationID) -> Settlement? {
            guard case .settled(let settlement) = waiters[id] else { return nil }
            waiters[id] = nil
            return settlement
        }

        mutating func takeWakeUps() -> [@Sendable () -> Void] {
            var wakeUps: [@Sendable () -> Void] = decided.map { continuation, settlement in
                { continuation.resume(returning: settlement) }
            }
            decided.removeAll(keepingCapacity: true)
            if ledger.running == 0, ledger.waiting == 0, !idlers.isEmpty {
                wakeUps += idlers.map { idler in { idler.resume() } }
                idlers.removeAll()
            }
            return wakeUps
        }
    }
}
