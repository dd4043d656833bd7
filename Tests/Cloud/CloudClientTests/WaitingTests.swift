import AsyncOperations
import CloudClient
import CloudModel
import Testing

/// Databases that wait as long as the service asks, and no longer than the caller wants.
@Suite struct WaitingTests {
    private static let address = Service.container.map {
        Database.Address(container: $0, environment: .development, scope: .private)
    }

    @Test func `a throttle holds its own kind of request back until it ends`() async throws {
        let address = try #require(Self.address)
        let clock = ManualClock()
        let memory = ThrottleMemory(clock: clock)
        let asked = Locked<[String]>([])
        let failures = Locked<[CloudError?]>([
            CloudError(.tryAgainLater, retryAfter: .seconds(10)), nil,
        ])
        let base = Scripted(address: address) { command throws(CloudError) in
            asked.withLock { $0.append(command.operationPath) }
            if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                throw error
            }
            return .zonePage(ZonePage(zones: [], token: nil, moreComing: false))
        }
        let database = ThrottledDatabase(base, memory: memory)
        #expect(await failure(database, .read(.listZones(token: nil)))?.code == .tryAgainLater)
        clock.advance(by: .seconds(4))
        let refused = await failure(database, .read(.listZones(token: nil)))
        #expect(refused?.code == .throttled)
        #expect(refused?.retryAfter == .seconds(6))
        _ = try await database.perform(.read(.databaseChanges(token: nil, limit: nil)))
        #expect(asked.withLock { $0 } == ["zones/list", "changes/database"])
        clock.advance(by: .seconds(6))
        _ = try await database.perform(.read(.listZones(token: nil)))
        #expect(asked.withLock { $0.count } == 3)
    }

    @Test func `a shorter wait never shortens a longer one`() throws {
        let address = try #require(Self.address)
        let clock = ManualClock()
        let memory = ThrottleMemory(clock: clock)
        memory.note(.seconds(10), after: .read(.caller), at: address)
        memory.note(.seconds(3), after: .read(.caller), at: address)
        #expect(memory.wait(before: .read(.caller), at: address) == .seconds(10))
        #expect(memory.wait(before: .read(.currentUser), at: address) == nil)
    }

    @Test(arguments: [
        (CloudCommand.read(.listZones(token: nil)), CloudError.Code.networkFailure),
        (.write(.modifyZones([.create(RecordZone.ID("Notes"))])), .responseLost),
    ])
    func `a request ends when its time is up`(
        command: CloudCommand, expected: CloudError.Code
    ) async throws {
        let address = try #require(Self.address)
        let clock = ManualClock()
        let base = Scripted(address: address) { _ throws(CloudError) in
            while !Task.isCancelled { await Task.yield() }
            throw CloudError(.cancelled)
        }
        let database = TimedDatabase(base, limit: .seconds(5), clock: clock)
        async let error = failure(database, command)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await error?.code == expected)
    }

    @Test func `an answer in time is the answer, and a cancelled task ends at once`() async throws {
        let address = try #require(Self.address)
        let clock = ManualClock()
        let base = Scripted(address: address) { command throws(CloudError) in
            guard case .read(.caller) = command else {
                while !Task.isCancelled { await Task.yield() }
                throw CloudError(.cancelled)
            }
            return .done
        }
        let database = TimedDatabase(base, limit: .seconds(5), clock: clock)
        #expect(try await database.perform(.read(.caller)) == .done)
        let task = Task { await failure(database, .read(.listZones(token: nil))) }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }
}

/// A database that answers as a test wants.
private struct Scripted: CloudDatabase {
    let address: Database.Address
    let answer: @Sendable (CloudCommand) async throws(CloudError) -> CloudReply

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        try await answer(command)
    }
}
