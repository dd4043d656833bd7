package import AsyncOperations

/// One worker of an erasure service: leases requests one after the other, and keeps saying that it lives.
///
/// Heartbeats have a connection of their own, so that no long statement is in front of them. When
/// they are not answered in time, or the worker was declared dead, the work under way is cancelled, its
/// outcome is thrown away, and the worker goes on under a new identity.
package struct ErasureWorker: Sendable {
    /// How an attempt ended.
    package enum Outcome: Sendable, Hashable {
        case done(evidence: [UInt8])
        /// With an exit status; it is tried again, or parked.
        case failed(status: Int64)
        /// The worker was told to end first: the attempt does not count.
        case stopped
    }

    /// What happened, for who watches.
    package enum Event: Sendable, Hashable {
        case claimed(request: Int64, attempt: Int64)
        case settled(request: Int64)
        case gaveBack(request: Int64, status: Int64)
        case released(request: Int64)
        /// The lease was lost; another worker takes the request up.
        case lost(request: Int64)
        /// Requests were taken from workers that were not heard of.
        case reaped(Int)
    }

    /// Exit status of an attempt whose evidence is larger than the queue takes: an error of this program.
    package static let tooLargeStatus: Int64 = 1

    private let queue: ErasureQueue
    private let heart: ErasureQueue
    private let watch: Stopwatch
    private let makeIdentity: @Sendable () -> WorkerID
    /// Between two looks for something to do.
    private let pause: Duration

    /// - Parameters:
    ///   - heart: The same queue over another connection.
    ///   - watch: Of a clock that goes on while the machine is suspended, as `ContinuousClock` does:
    ///     leases run out meanwhile.
    ///   - makeIdentity: 16 new random bytes each time.
    package init(
        _ queue: ErasureQueue, heart: ErasureQueue, watch: Stopwatch,
        pause: Duration = .seconds(1), makeIdentity: @escaping @Sendable () -> WorkerID
    ) {
        self.queue = queue
        self.heart = heart
        self.watch = watch
        self.pause = pause
        self.makeIdentity = makeIdentity
    }

    /// Works until `isDraining` says so, or the task is cancelled.
    ///
    /// A cancelled task ends as one that is killed does: what it holds is given back once its lease has run
    /// out. To give it back at once, drain, and have the work end with ``Outcome/stopped``.
    ///
    /// - Parameters:
    ///   - isDraining: Asked before each claim: whether to end.
    ///   - work: Does what a lease says. Before each request to the service it asks `maySend`, and ends soon
    ///     when its task is cancelled.
    /// - Throws: What the database says; what is held then is given back once its lease has run out.
    package func run(
        isDraining: @Sendable () -> Bool, report: @Sendable (Event) -> Void,
        work: @escaping @Sendable (Lease, LeaseWatch) async -> Outcome
    ) async throws(QueueError) {
        var identity: WorkerID?
        var lastReap: Duration?
        while !isDraining(), !Task.isCancelled {
            let me: WorkerID
            if let identity {
                me = identity
            } else {
                me = makeIdentity()
                try await queue.enroll(me)
                identity = me
            }
            if lastReap.map({ watch.elapsed - $0 >= queue.rules.beat }) ?? true {
                lastReap = watch.elapsed
                let reaped = try await queue.reap()
                if !reaped.isEmpty { report(.reaped(reaped.count)) }
            }
            let sentAt = watch.elapsed
            let claimed: Lease?
            do throws(QueueError) {
                claimed = try await queue.claim(me)
            } catch {
                if error.code == .unreadable, let request = error.request {
                    let status = ErasureQueue.unreadableStatus
                    report(.gaveBack(request: request, status: status))
                    continue
                }
                guard error.code == .declaredDead || error.code == .fenced else { throw error }
                identity = nil
                continue
            }
            guard let lease = claimed else {
                do { try await watch.sleep(for: pause) } catch { return }
                continue
            }
            report(.claimed(request: lease.request, attempt: lease.attempt))
            let lasts = LeaseWatch(queue.rules, watch, sentAt: sentAt)
            if try await carryOut(lease, lasts, report, work) == false { identity = nil }
        }
    }

    /// Whether the lease was ours to the end.
    private func carryOut(
        _ lease: Lease, _ lasts: LeaseWatch, _ report: @Sendable (Event) -> Void,
        _ work: @escaping @Sendable (Lease, LeaseWatch) async -> Outcome
    ) async throws(QueueError) -> Bool {
        let outcome = await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await work(lease, lasts) }
            group.addTask { await beat(lease, lasts) }
            group.addTask { await outlast(lasts) }
            // The work ends by itself, or the heart stops first.
            let first = await group.next() ?? nil
            group.cancelAll()
            await group.waitForAll()
            return first
        }
        do throws(QueueError) {
            switch outcome {
            case nil: report(.lost(request: lease.request))
            case .done(let evidence) where evidence.count > ErasureQueue.evidenceBytesMax:
                try await giveBack(lease, Self.tooLargeStatus, report)
            case .done(let evidence):
                try await settle(lease, evidence, lasts)
                report(.settled(request: lease.request))
            case .failed(let status): try await giveBack(lease, status, report)
            case .stopped:
                try await queue.release(lease)
                report(.released(request: lease.request))
            }
        } catch {
            guard error.code == .fenced else { throw error }
            report(.lost(request: lease.request))
            return false
        }
        return outcome != nil
    }

    private func giveBack(
        _ lease: Lease, _ status: Int64, _ report: @Sendable (Event) -> Void
    ) async throws(QueueError) {
        try await queue.giveBack(lease, status: status)
        report(.gaveBack(request: lease.request, status: status))
    }

    /// Settles, as often as it takes while the lease lasts: the work is not to be done again because a
    /// connection ended.
    private func settle(
        _ lease: Lease, _ evidence: [UInt8], _ lasts: LeaseWatch
    ) async throws(QueueError) {
        var isRepeated = false
        while true {
            do throws(QueueError) {
                return try await settle(lease, evidence, isRepeated: isRepeated)
            } catch {
                guard error.cause?.isTransient == true, lasts.maySend else { throw error }
                let failure = error
                do { try await watch.sleep(for: pause) } catch { throw failure }
                isRepeated = true
            }
        }
    }

    private func settle(
        _ lease: Lease, _ evidence: [UInt8], isRepeated: Bool
    ) async throws(QueueError) {
        do throws(QueueError) {
            try await queue.settle(lease, evidence: evidence)
        } catch {
            // What an earlier try has committed, unseen, is no longer ours to settle.
            guard isRepeated, error.code == .fenced, try await queue.isSettled(lease) else {
                throw error
            }
        }
    }

    /// Waits until the lease has run out, however long a heartbeat hangs.
    private func outlast(_ lasts: LeaseWatch) async -> Outcome? {
        while lasts.maySend {
            do { try await watch.sleep(for: lasts.left) } catch { return nil }
        }
        return nil
    }

    /// Beats until the lease is lost or nobody needs it any more.
    private func beat(_ lease: Lease, _ lasts: LeaseWatch) async -> Outcome? {
        while lasts.maySend {
            do { try await watch.sleep(for: queue.rules.beat) } catch { return nil }
            let sentAt = watch.elapsed
            do throws(QueueError) {
                try await heart.beat(lease.worker)
                lasts.answered(sentAt: sentAt)
            } catch {
                // Without an answer the next may have one, as long as there is time.
                guard error.code == .database else { return nil }
            }
        }
        return nil
    }
}
