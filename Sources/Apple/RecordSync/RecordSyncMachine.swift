import Basics

/// Follows one database for an app, and sends what the app changes: a value that decides, and
/// has its driver act.
///
/// Mirrors what `CKSyncEngine` does. The driver carries out one ``SyncEffect`` at a time and
/// hands over the answer; meanwhile the app may add to what is pending. Times are durations since
/// the driver's own beginning. Nothing here waits, asks or remembers a clock.
package struct RecordSyncMachine: Sendable {
    /// What the driver was asked to do last, so far as it is no run's own.
    private enum Stage: Sendable {
        case rest
        case identifying
        case tellingAccount
        case running
        /// The state is told first; then comes what was about to.
        case tellingState(then: Held)
        case finishing
    }
    /// What waits for the state to be told.
    private indirect enum Held: Sendable {
        case effect(SyncEffect, Stage)
        case rest
    }
    /// The run that goes on.
    private enum Work: Sendable {
        case fetch(FetchRun)
        case send(SendRun)
    }

    package let settings: SyncSettings
    package private(set) var state: SyncState
    private var stage = Stage.rest
    private var run: SyncRun?
    private var work: Work?
    private var isCancelled = false
    private var waiting: [SyncRun] = []
    private var abandoned: [SyncRun] = []
    private var schedule = SyncSchedule()
    /// Whether pushes tell of what other devices change.
    private var hasPushes = false
    private var random: SeededGenerator
    private var nextID: UInt64 = 1
    /// Whether the app does not have the state yet.
    private var isStateNew = false
    /// Whether the app has changed what is pending since it was given a state.
    private var isPendingNew = false
    /// The records that were fetched or sent since then.
    private var progress = 0
    /// From when on the app is given it during a run, if there is enough to store.
    private var stateDue: Duration
    /// From when on the app is given it during this run in any case.
    private var stateOverdue: Duration

    /// Runs that may wait at a time.
    package static let waitingMax = 64

    /// - Parameter seed: For the jitter of waits.
    package init(_ settings: SyncSettings, state: SyncState?, seed: UInt64) {
        self.settings = settings
        self.state = state ?? SyncState()
        random = SeededGenerator(seed: seed)
        stateDue = settings.stateInterval
        stateOverdue = settings.stateIntervalMax
        guard settings.isAutomatic else { return }
        schedule.fetch.isWanted = true
        schedule.send.isWanted = self.state.hasPending
    }

    // MARK: What the app asks for, at any time

    /// Changes the state as the app says; a send is due when there is something new to send.
    package mutating func change(_ body: (inout SyncState) -> Bool) {
        guard body(&state) else { return }
        isStateNew = true
        isPendingNew = true
        if settings.isAutomatic, state.hasPending { schedule.send.isWanted = true }
    }

    /// Puts a fetch or a send in line; a waiting one that is the same serves both callers.
    ///
    /// - Returns: The run; nil when ``waitingMax`` wait already.
    package mutating func ask(for job: SyncJob) -> UInt64? {
        if let same = waiting.first(where: { $0.job == job }) { return same.id }
        guard waiting.count < Self.waitingMax else { return nil }
        let run = makeRun(job, isManual: true)
        waiting.append(run)
        return run.id
    }

    /// Something happened elsewhere: a push, or another account.
    package mutating func noteNews() {
        guard settings.isAutomatic else { return }
        schedule.fetch.isWanted = true
        schedule.fetch.notBefore = .zero
        if state.hasPending { schedule.send.isWanted = true }
    }

    /// Pushes come from now on, or no more; what they would have told of before is looked for.
    package mutating func notePushes(areComing: Bool) {
        hasPushes = areComing
        noteNews()
    }

    /// Ends the run that goes on, at its next step, and all that wait. What is pending stays.
    ///
    /// The driver ends the request that is open.
    package mutating func cancel() {
        abandoned += waiting
        waiting = []
        isCancelled = run != nil
    }

    // MARK: What the driver hands over

    /// Whether there is something to do at a moment; for a driver that rests.
    package mutating func wake(now: Duration) -> SyncEffect { step(.done, now) }

    /// Takes the answer to the effect before, and says what comes next.
    package mutating func received(_ answer: SyncAnswer, now: Duration) -> SyncEffect {
        step(answer, now)
    }

    private mutating func step(_ answer: SyncAnswer, _ now: Duration) -> SyncEffect {
        switch stage {
        case .rest: return begin(now)
        case .tellingState(.effect(let effect, let next)):
            stage = next
            return effect
        case .tellingState(.rest): return begin(now)
        case .identifying: return identified(answer, now)
        case .tellingAccount: return enter(now)
        case .running: return go(on: answer, now)
        case .finishing: return begin(now)
        }
    }

    /// Looks for the next run.
    private mutating func begin(_ now: Duration) -> SyncEffect {
        stage = .finishing
        if !abandoned.isEmpty {
            return .finish(abandoned.removeFirst(), .failed(.cancelled))
        }
        if run == nil, let next = nextRun(now) {
            run = next
            isCancelled = false
        }
        if run != nil {
            stage = .identifying
            return .identify
        }
        stage = .rest
        if isStateNew { return tellState(.rest, now) }
        return .rest(until: settings.isAutomatic ? schedule.moment(now) : nil)
    }

    private mutating func nextRun(_ now: Duration) -> SyncRun? {
        if !waiting.isEmpty {
            let run = waiting.removeFirst()
            if case .send = run.job { schedule.send.isWanted = false }
            return run
        }
        guard settings.isAutomatic else { return nil }
        schedule.poll(now, hasPending: state.hasPending)
        if let moment = schedule.fetch.moment(now), moment <= now {
            schedule.fetch.isWanted = false
            return makeRun(.fetch(FetchOptions()), isManual: false)
        }
        if let moment = schedule.send.moment(now), moment <= now {
            schedule.send.isWanted = false
            return makeRun(.send(.all), isManual: false)
        }
        return nil
    }

    private mutating func makeRun(_ job: SyncJob, isManual: Bool) -> SyncRun {
        defer { nextID += 1 }
        return SyncRun(id: nextID, job: job, isManual: isManual)
    }

    // MARK: The account

    /// Each run asks first whose it is: what one account left pending never goes to another.
    private mutating func identified(_ answer: SyncAnswer, _ now: Duration) -> SyncEffect {
        guard case .user(let result) = answer else {
            preconditionFailure("the response is to another request")
        }
        let before = state.user
        switch result {
        case .success(let user):
            guard user != before else { return enter(now) }
            state.change(to: user)
            stage = .tellingAccount
            return .tell(
                .account(before.map { .switchAccounts(from: $0, to: user) } ?? .signIn(user)))
        case .failure(.signedOut):
            work = nil
            guard let before else { return end(.failed(.signedOut), nil, now) }
            state.change(to: nil)
            stage = .tellingAccount
            return .tell(.account(.signOut(before)))
        case .failure(let failure):
            return end(.failed(failure), failure.retryAfter, now)
        }
    }

    /// Begins the run, now that its account is known and the app has been told.
    private mutating func enter(_ now: Duration) -> SyncEffect {
        if case .tellingAccount = stage { isStateNew = true }
        guard let run, state.user != nil else { return end(.failed(.signedOut), nil, now) }
        guard !isCancelled else { return end(.failed(.cancelled), nil, now) }
        switch run.job {
        case .fetch(let options): work = .fetch(FetchRun(run, options))
        case .send(let scope): work = .send(SendRun(run, scope))
        }
        stage = .running
        stateOverdue = now + settings.stateIntervalMax
        return go(on: .done, now)
    }

    // MARK: The run

    private mutating func go(on answer: SyncAnswer, _ now: Duration) -> SyncEffect {
        let effect: SyncEffect?
        switch work {
        case .fetch(var fetch)?:
            // Taken out, so that nothing is copied.
            work = nil
            effect = fetch.next(after: answer, &state, isCancelled: isCancelled)
            work = .fetch(fetch)
            if let ending = fetch.ending {
                return end(ending, isTriedAgain: ending != .completed, fetch.retryAfter, now)
            }
        case .send(var send)?:
            work = nil
            effect = send.next(after: answer, &state, isCancelled: isCancelled)
            work = .send(send)
            if let ending = send.ending {
                return end(ending, isTriedAgain: send.isStopped, send.retryAfter, now)
            }
        case nil: preconditionFailure("no run is active")
        }
        guard let effect else { preconditionFailure("a run that has not ended has an effect") }
        isStateNew = true
        progress += answer.recordCount
        return isStateWanted(now) ? tellState(.effect(effect, .running), now) : effect
    }

    /// Whether the app is given the state during a run.
    ///
    /// A state names all known records and the app stores it whole. One for each so many pages would
    /// write the square of what a long fetch brings, so the next one waits until half as many records
    /// as it names have passed: all states together are a few times as long as the last one.
    private func isStateWanted(_ now: Duration) -> Bool {
        guard now >= stateDue else { return false }
        return isPendingNew || progress >= state.recordCount / 2 || now >= stateOverdue
    }

    /// Ends the run; the app knows the state before its caller goes on.
    private mutating func end(
        _ ending: SyncEnd, isTriedAgain: Bool = true, _ retryAfter: Duration?, _ now: Duration
    ) -> SyncEffect {
        guard let run else { preconditionFailure("no run is active") }
        plan(after: run, ending, isTriedAgain, retryAfter, now)
        self.run = nil
        work = nil
        isCancelled = false
        stage = .finishing
        let effect = SyncEffect.finish(run, ending)
        return isStateNew ? tellState(.effect(effect, .finishing), now) : effect
    }

    private mutating func plan(
        after run: SyncRun, _ ending: SyncEnd, _ isUnfinished: Bool, _ retryAfter: Duration?,
        _ now: Duration
    ) {
        guard settings.isAutomatic else { return }
        schedule.planPoll(
            now, hasPushes ? settings.pollIntervalWithPushes : settings.pollInterval)
        // Cancelled work waits for the next reason to do it; nobody has any without an account.
        let isTriedAgain =
            switch ending {
            case .completed, .failed(.cancelled), .failed(.signedOut): false
            case .partly, .failed: isUnfinished
            }
        switch run.job {
        case .fetch: note(isTriedAgain, retryAfter, now, \.fetch)
        case .send:
            note(isTriedAgain, retryAfter, now, \.send)
            if isTriedAgain, !state.hasPending { schedule.send.isWanted = false }
        }
    }

    private mutating func note(
        _ isTriedAgain: Bool, _ retryAfter: Duration?, _ now: Duration,
        _ work: WritableKeyPath<SyncSchedule, SyncSchedule.Work>
    ) {
        guard isTriedAgain else { return schedule[keyPath: work].succeeded() }
        schedule[keyPath: work].isWanted = true
        schedule[keyPath: work].back(off: retryAfter, now, settings, &random)
    }

    private mutating func tellState(_ held: Held, _ now: Duration) -> SyncEffect {
        stage = .tellingState(then: held)
        isStateNew = false
        isPendingNew = false
        progress = 0
        stateDue = now + settings.stateInterval * min(max(state.recordCount / 1000, 1), 50)
        stateOverdue = now + settings.stateIntervalMax
        return .tell(.state(state))
    }
}
