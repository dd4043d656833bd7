import ErasureQueue
import PostgreSQL
import Testing

@Suite(needsServer, .timeLimit(.minutes(10)))
struct BucketTests {
    @Test func `a bucket gives what it has, fills up, and is shut for all`() async throws {
        let world = try await World()
        func take(_ wanted: Int64, rate: Double = 0) async throws -> Int64 {
            try await world.queue.take(wanted, from: "app", rate: rate, cap: 10)
        }
        #expect(try await take(7) == 7)
        #expect(try await take(7) == 3)
        #expect(try await take(1) == 0)
        // Other things have buckets of their own.
        #expect(try await world.queue.take(1, from: "other", rate: 0, cap: 10) == 1)
        // An hour passes, and what the test takes counts for nothing beside it.
        _ = try await world.admin.run("UPDATE buckets SET at = at - interval '3500 seconds'")
        #expect(try await take(100, rate: 0.001) == 3)
        // A long time: never more than it holds.
        _ = try await world.admin.run("UPDATE buckets SET at = at - interval '1 day'")
        #expect(try await take(4, rate: 2) == 4)
        try await world.queue.shut("app", for: .seconds(3600))
        // A shorter wait does not open it.
        try await world.queue.shut("app", for: .zero)
        #expect(try await take(1, rate: 2) == 0)
        _ = try await world.admin.run("UPDATE buckets SET closed_until = '-infinity'")
        #expect(try await take(100) >= 6)
        await world.close()
    }

    @Test(arguments: [Duration.seconds(86_401), .seconds(Int64.max)])
    func `a bucket is shut for a day at most`(wait: Duration) async throws {
        let world = try await World()
        try await world.queue.shut("app", for: wait)
        let closed = try await world.admin.run(
            """
            SELECT closed_until - clock_timestamp() BETWEEN interval '23 hours'
                AND interval '24 hours' FROM buckets
            """)
        #expect(closed == [Row([true])])
        await world.close()
    }

    @Test func `all workers together never take more than there is`() async throws {
        let world = try await World()
        let taken = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let queue = ErasureQueue(Connection(world.settings), seal: World.seal)
                    var sum: Int64 = 0
                    for _ in 0..<20 {
                        sum += try await queue.take(3, from: "app", rate: 0, cap: 100)
                    }
                    await queue.close()
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 100)
        await world.close()
    }
}
