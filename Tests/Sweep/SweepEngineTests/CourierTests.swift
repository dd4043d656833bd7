import AsyncOperations
import CloudCourier
import CloudModel
import Testing

/// What is sent, when, and what is taken for an answer.
@Suite(.timeLimit(.minutes(30)))
struct CourierTests {
    /// A database that answers as a test says.
    private struct Scripted: CloudDatabase {
        let address: Database.Address
        let answer: @Sendable (CloudCommand) async throws(CloudError) -> CloudReply

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            try await answer(command)
        }
    }

    private func database(
        _ answer: @escaping @Sendable (CloudCommand) async throws(CloudError) -> CloudReply
    ) throws -> Scripted {
        Scripted(address: address(try container("one")), answer: answer)
    }

    private func courier(
        _ clock: any Clock<Duration> = ManualClock(movesByItself: true),
        stop: StopSignal = StopSignal(),
        tell: @escaping @Sendable (Courier.Event) -> Void = { _ in },
        limits: Courier.Limits = Courier.Limits()
    ) -> Courier {
        Courier(limits, clock: clock, seed: 1, stop: stop, tell: tell)
    }

    private static let ada = UserIdentity(userRecordName: "_ada")
    private static let zone = RecordZone.ID("a")
    private static let evesZone = RecordZone.ID("a", ownerRecordName: "_eve")

    private func code(_ body: () async throws -> CloudReply) async -> CloudError.Code? {
        do {
            _ = try await body()
            return nil
        } catch Courier.Failure.refused(let error) {
            return error.code
        } catch {
            return nil
        }
    }

    // MARK: Answers

    @Test func `an answer to another question is none`() async throws {
        let zones = try database { _ in .zones([.deleted(RecordZone.ID("b"))]) }
        let read = CloudRead.lookUpZones([Self.zone])
        #expect(
            await code { try await courier().lookOnce(read, from: zones) } == .unexpectedResponse)
        let write = CloudWrite.modifyZones([.delete(Self.zone)])
        #expect(await code { try await courier().send(write, to: zones) } == .unexpectedResponse)
    }

    @Test func `an answer about another person's data is none`() async throws {
        let list = try database { _ in
            .zonePage(
                ZonePage(
                    zones: [.zone(RecordZone(id: Self.evesZone, isAtomic: true))], token: nil,
                    moreComing: false))
        }
        let read = CloudRead.listZones(token: nil)
        #expect(await code { try await courier().lookOnce(read, from: list) } == nil)
        #expect(
            await code { try await courier().lookOnce(read, from: list, for: "_ada") }
                == .unexpectedResponse)
        let deleted = try database { _ in .zones([.deleted(Self.evesZone)]) }
        let write = CloudWrite.modifyZones([.delete(Self.zone)])
        #expect(await code { try await courier().send(write, to: deleted) } == nil)
        #expect(
            await code { try await courier().send(write, to: deleted, for: "_ada") }
                == .unexpectedResponse)
    }

    @Test func `a change that names no owner is sent to the session of the person only`()
        async throws
    {
        let write = CloudWrite.modifySubscriptions([.delete("a")])
        let sent = Locked<[CloudCommand]>([])
        let twisted = try database { command in
            sent.withLock { $0.append(command) }
            guard case .write = command else { return .user(Self.ada) }
            return .subscriptions([.deleted("b")])
        }
        await #expect(throws: Courier.Failure.otherPerson) {
            try await courier().send(write, to: twisted, afterAskingFor: "_eve")
        }
        #expect(sent.withLock { $0 } == [.read(.caller)])
        #expect(
            await code { try await courier().send(write, to: twisted, afterAskingFor: "_ada") }
                == .unexpectedResponse)
    }

    // MARK: Waits

    /// Of a whole request, or of one item of it.
    @Test(arguments: [true, false])
    func `S8 nothing is sent to a database before the wait that it asked for`(
        isWhole: Bool
    ) async throws {
        let clock = ManualClock(movesByItself: true)
        let times = Locked<[Duration]>([])
        let zones = try database { _ throws(CloudError) in
            times.withLock { $0.append(clock.now.sinceStart) }
            let error = CloudError(.throttled, retryAfter: .seconds(100))
            if isWhole { throw error }
            return .zones([.failure(Self.zone, error)])
        }
        let courier = courier(clock)
        for _ in 1...2 {
            _ = await code {
                try await courier.lookOnce(.lookUpZones([Self.zone]), from: zones)
            }
        }
        #expect(times.withLock { $0 } == [.zero, .seconds(100)])
    }

    @Test func `S8 a database that always asks to wait is given up`() async throws {
        let clock = ManualClock(movesByItself: true)
        let busy = try database { _ throws(CloudError) in
            throw CloudError(.throttled, reason: "busy", retryAfter: .seconds(100))
        }
        var limits = Courier.Limits()
        limits.waitMax = .seconds(1000)
        let courier = courier(clock, limits: limits)
        #expect(await code { try await courier.read(.caller, from: busy) } == .throttled)
        #expect(clock.now.sinceStart <= .seconds(1000))
        #expect(courier.counts.requests == 11)
    }

    @Test(arguments: [true, false])
    func `S8 a wait that is given up holds no other request to the database`(isWhole: Bool)
        async throws
    {
        let clock = ManualClock(movesByItself: true)
        let asked = Locked(0)
        let busy = try database { _ throws(CloudError) in
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            guard number == 3 else {
                return .zones([.zone(RecordZone(id: Self.zone, isAtomic: true))])
            }
            let error = CloudError(.throttled, reason: "busy", retryAfter: .seconds(86_400))
            if isWhole { throw error }
            return .zones([.failure(Self.zone, error)])
        }
        let courier = courier(clock)
        let codes = await withTaskGroup(of: CloudError.Code?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await code { try await courier.read(.lookUpZones([Self.zone]), from: busy) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count == 20 && codes.count { $0 == .throttled } == (isWhole ? 1 : 0))
        #expect(clock.now.sinceStart < .seconds(1800))
        // Nothing was waited for, so that as much may be waited as before.
        #expect(courier.counts.requests == 20 && courier.counts.retries == 0)
    }

    @Test func `S8 a wait that is given up says how long it would have been`() async throws {
        let busy = try database { _ throws(CloudError) in
            throw CloudError(.throttled, reason: "busy", retryAfter: .seconds(86_400))
        }
        let error = await #expect(throws: Courier.Failure.self) {
            try await courier().read(.caller, from: busy)
        }
        guard case .refused(let refusal) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(
            refusal.reason
                == "the server asks to wait 24 h 00 min more, and the limit for this database is 30 min "
                + "00 s: busy")
    }

    @Test func `S8 a wait that requests share counts once`() async throws {
        let clock = ManualClock()
        let asked = Locked(0)
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (waits, waiting) = AsyncStream<Void>.makeStream()
        let gates = (0..<5).map { _ in AsyncStream<Void>.makeStream() }
        let busy = try database { _ async throws(CloudError) in
            let number = asked.withLock { asked in
                defer { asked += 1 }
                return asked
            }
            guard number < 5 else { return .user(Self.ada) }
            arrived.yield()
            for await _ in gates[number].stream {}
            throw CloudError(.throttled, retryAfter: .seconds(100))
        }
        var limits = Courier.Limits()
        limits.waitMax = .seconds(150)
        let noteWait: @Sendable (Courier.Event) -> Void = {
            if case .waiting = $0 { waiting.yield() }
        }
        let courier = courier(clock, tell: noteWait, limits: limits)
        // The window of a database widens with what it answers.
        asked.withLock { $0 = 5 }
        for _ in 1...20 { _ = try await courier.read(.caller, from: busy) }
        asked.withLock { $0 = 0 }
        let codes = await withTaskGroup(of: CloudError.Code?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    // One that is given up has nobody wait for it.
                    defer { waiting.yield() }
                    return await code { try await courier.read(.caller, from: busy) }
                }
            }
            var count = 0
            for await _ in arrivals {
                count += 1
                if count == 5 { break }
            }
            for gate in gates { gate.continuation.finish() }
            count = 0
            for await _ in waits {
                count += 1
                if count == 5 { break }
            }
            // From here on time passes whenever somebody waits for it.
            let isOver = Locked(false)
            let time = Task {
                while true {
                    await clock.waitForSleepers()
                    if isOver.withLock({ $0 }) { return }
                    clock.advance(by: .seconds(100))
                }
            }
            var codes: [CloudError.Code?] = []
            for await code in group { codes.append(code) }
            isOver.withLock { $0 = true }
            let last = Task { try await clock.sleep(for: .seconds(1)) }
            await time.value
            last.cancel()
            return codes
        }
        #expect(codes == [nil, nil, nil, nil, nil])
        #expect(courier.counts.retries == 5)
    }

    // MARK: The end

    @Test func `after the longest time nothing is sent`() async throws {
        let clock = ManualClock()
        let stop = StopSignal()
        let ada = try database { _ in .user(Self.ada) }
        var limits = Courier.Limits()
        limits.maxDuration = .seconds(60)
        let courier = courier(clock, stop: stop, limits: limits)
        _ = try await courier.read(.caller, from: ada)
        clock.advance(by: .seconds(60))
        await #expect(throws: Courier.Failure.stopped) {
            try await courier.read(.caller, from: ada)
        }
        #expect(courier.counts.requests == 1)
        #expect(stop.reason == .outOfTime)
    }

    @Test func `a wait that would end after the longest time is not begun`() async throws {
        let clock = ManualClock(movesByItself: true)
        let busy = try database { _ throws(CloudError) in
            throw CloudError(.internalError, retryAfter: .seconds(100))
        }
        let stop = StopSignal()
        var limits = Courier.Limits()
        limits.maxDuration = .seconds(60)
        let courier = courier(clock, stop: stop, limits: limits)
        await #expect(throws: Courier.Failure.stopped) {
            try await courier.read(.caller, from: busy)
        }
        #expect(stop.reason == .outOfTime)
        #expect(clock.now.sinceStart == .zero)
    }

    @Test func `an interrupt lets a request in flight finish`() async throws {
        let stop = StopSignal()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        let wasCancelled = Locked(false)
        let slow = try database { _ in
            await withTaskCancellationHandler {
                arrived.yield()
                for await _ in gate.stream {}
            } onCancel: {
                wasCancelled.withLock { $0 = true }
            }
            return .user(Self.ada)
        }
        let courier = courier(stop: stop)
        let request = Task { try await courier.read(.caller, from: slow) }
        for await _ in arrivals { break }
        stop.request(.interrupt)
        gate.continuation.finish()
        #expect(try await request.value == .user(Self.ada))
        #expect(!wasCancelled.withLock { $0 })
    }

    @Test func `a server that cannot be trusted is asked nothing more`() async throws {
        let asked = Locked(0)
        let other = try database { _ throws(CloudError) in
            asked.withLock { $0 += 1 }
            throw CloudError(.certificateUntrusted)
        }
        let courier = courier()
        for _ in 1...2 { _ = await code { try await courier.read(.caller, from: other) } }
        #expect(asked.withLock { $0 } == 1)
        #expect(courier.isStopped)
        #expect(courier.halted?.code == .certificateUntrusted)
    }
}
