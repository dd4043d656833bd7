import AsyncOperations
import Foundation
import RecordSync

/// Drives a ``CKSyncEngine``'s machine: one effect at a time, for as long as there is one.
///
/// The engine, its state and its timers share it. It keeps neither the engine nor its delegate alive.
final class SyncDriver: Sendable {
    private struct Caller {
        let run: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct Inside {
        var machine: RecordSyncMachine
        var isDriving = false
        /// Whether something was asked for since the machine was asked last.
        var isWanted = false
        var isStopped = false
        var callers: [UInt64: Caller] = [:]
        var nextCaller: UInt64 = 0
        /// What the app gave the runs that go on or wait.
        var groups: [UInt64: CKOperationGroup] = [:]
        /// Ends the request that is open.
        var endRequest: (@Sendable () -> Void)?
        var timer: Task<Void, Never>?
    }
    private let inside: Locked<Inside>
    private let clock: SyncClock
    private let listener: PushListener
    private let ends: Locked<Ends>

    /// The driver whose delegate is being called, in that call and in the tasks it starts, other than
    /// detached ones.
    @TaskLocal private static var caller: SyncDriver?

    /// Who is told; both can go at any time.
    private struct Ends {
        weak var engine: CKSyncEngine?
        weak var delegate: (any CKSyncEngineDelegate)?
    }

    init(
        _ machine: RecordSyncMachine, _ delegate: any CKSyncEngineDelegate, _ clock: SyncClock,
        _ listener: PushListener
    ) {
        inside = Locked(Inside(machine: machine))
        ends = Locked(Ends(engine: nil, delegate: delegate))
        self.clock = clock
        self.listener = listener
    }

    func attach(_ engine: CKSyncEngine) { ends.withLock { $0.engine = engine } }

    /// The engine and its delegate, while both are there.
    private var parties: (engine: CKSyncEngine, delegate: any CKSyncEngineDelegate)? {
        ends.withLock { ends in
            guard let engine = ends.engine, let delegate = ends.delegate else { return nil }
            return (engine, delegate)
        }
    }

    // MARK: What is asked for, on any thread

    var state: SyncState { inside.withLock { $0.machine.state } }

    func change(_ body: @Sendable (inout SyncState) -> Bool) {
        inside.withLock { $0.machine.change(body) }
        kick()
    }

    func noteNews() {
        inside.withLock { $0.machine.noteNews() }
        kick()
    }

    /// A run found out who is signed in; nil: nobody.
    ///
    /// - Parameter database: The database as they see it.
    func noteUser(_ user: String?, _ database: CKDatabase) {
        guard inside.withLock({ $0.machine.settings.isAutomatic }) else { return }
        guard let user else { return listener.pause() }
        listener.listen(as: user, to: database) { [weak self] word in
            switch word {
            case .push: self?.noteNews()
            case .areComing(let areComing):
                self?.inside.withLock { $0.machine.notePushes(areComing: areComing) }
                self?.kick()
            }
        }
    }

    func cancel() {
        let endRequest = inside.withLock { inside in
            inside.machine.cancel()
            return inside.endRequest
        }
        endRequest?()
        kick()
    }

    /// Has a run made, and waits for its end.
    ///
    /// - Throws: ``CKError``: what the run failed with; `invalidArguments` in a call of the delegate,
    ///   which the run would wait for.
    func run(_ job: SyncJob, _ group: CKOperationGroup) async throws {
        guard Self.caller !== self else { throw Self.reentered }
        let caller = inside.withLock { inside in
            inside.nextCaller += 1
            return inside.nextCaller
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let refusal = enter(job, group, caller, continuation) {
                    continuation.resume(throwing: refusal)
                } else {
                    kick()
                }
            }
        } onCancel: {
            let left = inside.withLock { $0.callers.removeValue(forKey: caller) }
            left?.continuation.resume(throwing: Self.cancelled)
        }
    }

    private func enter(
        _ job: SyncJob, _ group: CKOperationGroup, _ caller: UInt64,
        _ continuation: CheckedContinuation<Void, any Error>
    ) -> CKError? {
        inside.withLock { inside in
            guard !Task.isCancelled, !inside.isStopped else { return Self.cancelled }
            guard let run = inside.machine.ask(for: job) else {
                return CKError(
                    .limitExceeded,
                    "\(RecordSyncMachine.waitingMax) fetches and sends are pending already")
            }
            if inside.groups[run] == nil { inside.groups[run] = group }
            inside.callers[caller] = Caller(run: run, continuation: continuation)
            return nil
        }
    }

    static let cancelled = CKError(.operationCancelled, "the engine's work was cancelled")

    /// - SeeAlso: <https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8>
    private static let reentered = CKError(
        .invalidArguments,
        "a delegate cannot await fetchChanges or sendChanges of the engine that is calling it:"
            + " call them in Task.detached")

    // MARK: Driving

    /// Goes on, if nothing goes on already.
    func kick() {
        let mayBegin = inside.withLock { inside in
            inside.isWanted = true
            guard !inside.isDriving, !inside.isStopped else { return false }
            inside.isDriving = true
            inside.timer?.cancel()
            inside.timer = nil
            return true
        }
        guard mayBegin else { return }
        // Another engine's delegate may be what sets this one to work.
        Self.$caller.withValue(nil) { _ = Task { await drive() } }
    }

    private func drive() async {
        var hands = SyncHands(self)
        guard var effect = next() else { return }
        // No lock is held while an effect is done.
        while let (engine, delegate) = parties {
            // A state in it is let go of before the machine changes its own.
            let answer = await hands.answer(to: consume effect, engine, delegate)
            guard let more = take(answer) else { return }
            effect = more
        }
        stop()
    }

    /// Wakes the machine; nil when it rests.
    private func next() -> SyncEffect? {
        let now = clock.now
        return inside.withLock { inside in
            guard !inside.isStopped else { return nil }
            inside.isWanted = false
            return rest(inside.machine.wake(now: now), &inside)
        }
    }

    /// Hands over an answer; nil when the machine rests.
    private func take(_ answer: SyncAnswer) -> SyncEffect? {
        let now = clock.now
        return inside.withLock { inside in
            guard !inside.isStopped else { return nil }
            return rest(inside.machine.received(answer, now: now), &inside)
        }
    }

    /// Ends the driving for a rest, unless something was asked for meanwhile.
    private func rest(_ effect: SyncEffect, _ inside: inout Inside) -> SyncEffect? {
        guard case .rest(let moment) = effect else { return effect }
        if inside.isWanted {
            inside.isWanted = false
            let next = inside.machine.wake(now: clock.now)
            guard case .rest = next else { return next }
        }
        inside.isDriving = false
        if let moment {
            let wait = max(moment - clock.now, .zero)
            inside.timer = Task { [weak self, clock] in
                do { try await clock.sleep(wait) } catch { return }
                self?.kick()
            }
        }
        return nil
    }

    /// Ends all work for good: nobody is left to be told.
    func stop() {
        let (callers, endRequest) = inside.withLock { inside in
            inside.isStopped = true
            inside.timer?.cancel()
            defer { inside.callers = [:] }
            return (Array(inside.callers.values), inside.endRequest)
        }
        listener.stop()
        endRequest?()
        for caller in callers { caller.continuation.resume(throwing: Self.cancelled) }
    }

    // MARK: For the hands

    /// Calls the delegate.
    func call<Value: Sendable>(_ body: () async -> Value) async -> Value {
        await Self.$caller.withValue(self, operation: body)
    }

    /// Does a request that ``cancel()`` ends.
    func cancellable<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(CKError) -> Value
    ) async -> Result<Value, CKError> {
        let task = Task { () -> Result<Value, CKError> in
            do throws(CKError) { return .success(try await body()) } catch {
                return .failure(error)
            }
        }
        inside.withLock { $0.endRequest = { task.cancel() } }
        defer { inside.withLock { $0.endRequest = nil } }
        return await task.value
    }

    func group(of run: SyncRun) -> CKOperationGroup {
        inside.withLock { inside in
            if let known = inside.groups[run.id] { return known }
            let made = CKOperationGroup()
            inside.groups[run.id] = made
            return made
        }
    }

    /// Lets the callers of a run go on.
    func finish(_ run: SyncRun, _ error: CKError?) {
        let callers = inside.withLock { inside in
            inside.groups[run.id] = nil
            let over = inside.callers.filter { $0.value.run == run.id }
            for caller in over.keys { inside.callers[caller] = nil }
            return Array(over.values)
        }
        for caller in callers {
            if let error {
                caller.continuation.resume(throwing: error)
            } else {
                caller.continuation.resume()
            }
        }
    }
}
