import AsyncOperations
import ErasureQueue
import PostgreSQL
import PostgreSQLCluster
import Testing

@Suite(needsServer, .timeLimit(.minutes(10)))
struct WorkerTests {
    /// A worker of a world, on a clock that the test moves; its identities count from 1.
    private func makeWorker(
        _ world: World, _ clock: ManualClock, heart: ConnectionSettings? = nil,
        queue: ErasureQueue? = nil
    ) -> (ErasureWorker, heart: ErasureQueue) {
        let heart = ErasureQueue(
            Connection(heart ?? world.settings), seal: World.seal, rules: world.queue.rules)
        let last = Locked(UInt8(0))
        let worker = ErasureWorker(
            queue ?? world.queue, heart: heart, watch: Stopwatch(clock), pause: .zero
        ) {
            World.worker(
                last.withLock { last in
                    last += 1
                    return last
                })
        }
        return (worker, heart)
    }

    private func rules() -> QueueRules {
        var rules = QueueRules()
        rules.backOff = .zero
        rules.attemptsMax = 3
        return rules
    }

    @Test func `a worker settles, gives back and releases what it leases`() async throws {
        let world = try await World(rules())
        for (order, due) in [("done", Int64(1)), ("fail", 2), ("stop", 3)] {
            try await world.add(order, order, due: due)
        }
        let (worker, heart) = makeWorker(world, ManualClock())
        let (events, tries) = (Locked<[ErasureWorker.Event]>([]), Locked<[String: Int]>([:]))
        try await worker.run(
            isDraining: { tries.withLock { $0["stop", default: 0] >= 2 } },
            report: { event in events.withLock { $0.append(event) } },
            work: { lease, watch in
                let order = String(decoding: lease.order, as: UTF8.self)
                let count = tries.withLock { tries in
                    tries[order, default: 0] += 1
                    return tries[order, default: 0]
                }
                #expect(watch.maySend)
                switch order {
                case "fail": return .failed(status: 5)
                case "stop" where count == 1: return .stopped
                default: return .done(evidence: Array(order.utf8))
                }
            })
        #expect(
            events.withLock { $0 } == [
                .claimed(request: 1, attempt: 1), .settled(request: 1),
                .claimed(request: 2, attempt: 1), .gaveBack(request: 2, status: 5),
                .claimed(request: 2, attempt: 2), .gaveBack(request: 2, status: 5),
                .claimed(request: 2, attempt: 3), .gaveBack(request: 2, status: 5),
                .claimed(request: 3, attempt: 1), .released(request: 3),
                .claimed(request: 3, attempt: 1), .settled(request: 3),
            ])
        #expect(try await world.state(2) == .parked)
        #expect(try await world.queue.evidence(3) == Array("stop".utf8))
        await heart.close()
        await world.close()
    }

    @Test func `work whose worker was declared dead is cancelled, and done by another`()
        async throws
    {
        let world = try await World(rules())
        let id = try await world.add("ann")
        let clock = ManualClock()
        let (worker, heart) = makeWorker(world, clock)
        let events = Locked<[ErasureWorker.Event]>([])
        try await worker.run(
            isDraining: { events.withLock { $0.contains(.settled(request: id)) } },
            report: { event in events.withLock { $0.append(event) } },
            work: { lease, _ in
                guard lease.attempt == 1 else { return .done(evidence: [2]) }
                // It is paused, and others take its request away.
                do {
                    try await world.pause(1)
                    while try await world.queue.reap().isEmpty { try await world.pause(1) }
                } catch {
                    Issue.record(error)
                }
                // The next heartbeat is told so.
                await clock.waitForSleepers(2)
                clock.advance(by: rules().beat)
                while !Task.isCancelled { await Task.yield() }
                return .done(evidence: [1])
            })
        #expect(
            events.withLock { $0 } == [
                .claimed(request: id, attempt: 1), .lost(request: id),
                .claimed(request: id, attempt: 2), .settled(request: id),
            ])
        #expect(try await world.queue.evidence(id) == [2])
        await heart.close()
        await world.close()
    }

    @Test func `a worker whose heart is not heard stops before another one may begin`()
        async throws
    {
        let world = try await World(rules())
        let id = try await world.add("ann")
        let nowhere = ConnectionSettings(.socket(folder: "/nonexistent"), database: "x", user: "x")
        let clock = ManualClock()
        let (worker, heart) = makeWorker(world, clock, heart: nowhere)
        let (events, maySend) = (Locked<[ErasureWorker.Event]>([]), Locked<[Bool]>([]))
        try await worker.run(
            isDraining: { events.withLock { $0.contains(.lost(request: id)) } },
            report: { event in events.withLock { $0.append(event) } },
            work: { _, watch in
                maySend.withLock { $0.append(watch.maySend) }
                while !Task.isCancelled {
                    clock.advance(by: .seconds(1))
                    await Task.yield()
                }
                maySend.withLock { $0.append(watch.maySend) }
                return .done(evidence: [1])
            })
        #expect(maySend.withLock { $0 } == [true, false])
        #expect(try await world.state(id) == .leased)
        #expect(try await world.queue.evidence(id) == nil)
        await heart.close()
        await world.close()
    }

    @Test func `a heartbeat that hangs does not make the work go on`() async throws {
        let world = try await World(rules())
        let id = try await world.add("ann")
        let clock = ManualClock()
        var patient = world.settings
        patient.limits.answer = .seconds(3600)
        patient.limits.lock = .seconds(3600)
        let (worker, heart) = makeWorker(world, clock, heart: patient)
        let blocker = Connection(patient)
        let (events, maySend) = (Locked<[ErasureWorker.Event]>([]), Locked<[Bool]>([]))
        let blocking = Locked<Task<[[Row]], any Error>?>(nil)
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        @Sendable func wait(until condition: String) async {
            do {
                while try await world.admin.run("\(sessions) AND \(condition)")[0].integer(0) == 0 {
                    await Task.yield()
                }
            } catch {
                Issue.record(error)
            }
        }
        try await worker.run(
            isDraining: { events.withLock { $0.contains(.lost(request: id)) } },
            report: { event in events.withLock { $0.append(event) } },
            work: { _, watch in
                let task: Task<[[Row]], any Error> = Task {
                    try await blocker.run([
                        Statement("SELECT FROM workers FOR UPDATE"),
                        Statement("SELECT pg_sleep(3600)"),
                    ])
                }
                blocking.withLock { $0 = task }
                await wait(until: "wait_event = 'PgSleep'")
                await clock.waitForSleepers(2)
                clock.advance(by: rules().beat)
                await wait(until: "wait_event_type = 'Lock'")
                clock.advance(by: rules().ownLimit - rules().beat)
                while !Task.isCancelled { await Task.yield() }
                maySend.withLock { $0.append(watch.maySend) }
                return .done(evidence: [1])
            })
        #expect(maySend.withLock { $0 } == [false])
        #expect(try await world.state(id) == .leased)
        blocking.withLock { $0 }?.cancel()
        await blocker.close()
        await heart.close()
        await world.close()
    }

    @Test func `an order of another key, and evidence that is too large, end no worker`()
        async throws
    {
        let world = try await World(rules())
        let stranger = ErasureQueue(
            Connection(world.settings), seal: QueueSeal(key: [UInt8](repeating: 1, count: 32)))
        let foreign = try await stranger.add(person: "ann", order: [1], received: 0, due: 1).id
        let large = try await world.add("bob", "large", due: 2)
        let last = try await world.add("eve", "last", due: 3)
        let (worker, heart) = makeWorker(world, ManualClock())
        let events = Locked<[ErasureWorker.Event]>([])
        try await worker.run(
            isDraining: { events.withLock { $0.contains(.settled(request: last)) } },
            report: { event in events.withLock { $0.append(event) } },
            work: { lease, _ in
                let count = lease.request == large ? ErasureQueue.evidenceBytesMax + 1 : 1
                return .done(evidence: [UInt8](repeating: 1, count: count))
            })
        var expected = [ErasureWorker.Event](
            repeating: .gaveBack(request: foreign, status: 2), count: 3)
        for attempt in Int64(1)...3 {
            expected.append(.claimed(request: large, attempt: attempt))
            expected.append(.gaveBack(request: large, status: 1))
        }
        expected += [.claimed(request: last, attempt: 1), .settled(request: last)]
        #expect(events.withLock { $0 } == expected)
        #expect(try await world.state(foreign) == .parked)
        #expect(try await world.state(large) == .parked)
        await stranger.close()
        await heart.close()
        await world.close()
    }

    @Test(arguments: [Cutter.Side.client, .server])
    func `a connection that ends while a worker settles does not undo its work`(
        side: Cutter.Side
    ) async throws {
        let world = try await World(rules())
        let cutter = try Cutter(before: try SharedCluster.shared())
        defer { cutter.stop() }
        var settings = world.settings
        settings.server = .socket(folder: cutter.folder)
        let queue = ErasureQueue(Connection(settings), seal: World.seal, rules: rules())
        let (worker, heart) = makeWorker(world, ManualClock(), queue: queue)
        for bytes in [3, 100, 400] {
            let id = try await world.add("person \(bytes)")
            let events = Locked<[ErasureWorker.Event]>([])
            try await worker.run(
                isDraining: { !events.withLock { $0.isEmpty } },
                report: { event in events.withLock { $0.append(event) } },
                work: { _, _ in
                    cutter.cut(side, after: bytes)
                    return .done(evidence: [1])
                })
            cutter.heal()
            #expect(
                events.withLock { $0 } == [
                    .claimed(request: id, attempt: 1), .settled(request: id),
                ])
            #expect(try await world.queue.evidence(id) == [1])
        }
        await queue.close()
        await heart.close()
        await world.close()
    }
}
