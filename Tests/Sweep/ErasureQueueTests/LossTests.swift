import ErasureQueue
import PostgreSQL
import PostgreSQLCluster
import Testing

/// Connections that end in the middle of a claim or of the last word.
@Suite(needsServer, .timeLimit(.minutes(10)))
struct LossTests {
    @Test(arguments: [Cutter.Side.client, .server])
    func `cut anywhere, settling tells the truth`(side: Cutter.Side) async throws {
        let world = try await World()
        let cutter = try Cutter(before: try SharedCluster.shared())
        defer { cutter.stop() }
        var settings = world.settings
        settings.server = .socket(folder: cutter.folder)
        let queue = ErasureQueue(Connection(settings), seal: World.seal)
        try await queue.enroll(World.worker(1))
        var told: Set<String> = []
        for bytes in stride(from: 0, to: 700, by: 7) {
            let id = try await world.add("person \(bytes)")
            let lease = try #require(try await queue.claim(World.worker(1)))
            #expect(lease.request == id)
            cutter.cut(side, after: bytes)
            let failure: QueueError?
            do throws(QueueError) {
                try await queue.settle(lease, evidence: [1])
                failure = nil
            } catch {
                failure = error
            }
            cutter.heal()
            #expect(try await world.state(id) == (failure == nil ? .settled : .leased))
            #expect(failure == nil || failure?.cause?.code == .connectionLost)
            told.insert(failure == nil ? "settled" : "not settled")
            if failure != nil { try await queue.settle(lease, evidence: [1]) }
            #expect(try await world.queue.evidence(id) == [1])
        }
        #expect(told.contains("settled"))
        await queue.close()
        await world.close()
    }

    @Test func `a claim whose answer is lost is given back when its worker is not heard of`()
        async throws
    {
        let world = try await World()
        let cutter = try Cutter(before: try SharedCluster.shared())
        defer { cutter.stop() }
        var settings = world.settings
        settings.server = .socket(folder: cutter.folder)
        let queue = ErasureQueue(Connection(settings), seal: World.seal)
        try await queue.enroll(World.worker(1))
        // Its statements are compiled.
        #expect(try await queue.claim(World.worker(1)) == nil)
        let id = try await world.add("ann")
        cutter.cut(.server, after: 3)
        let error = await #expect(throws: QueueError.self) {
            try await queue.claim(World.worker(1))
        }
        #expect(error?.cause?.mayHaveBeenCommitted == true)
        #expect(try await world.state(id) == .leased)
        #expect(try await world.queue.reap().isEmpty)
        try await world.pause(1)
        #expect(try await world.queue.reap() == [id: .ready])
        #expect(await failure { try await queue.beat(World.worker(1)) } == .declaredDead)
        try await world.queue.enroll(World.worker(2))
        #expect(try await world.queue.claim(World.worker(2))?.attempt == 2)
        await queue.close()
        await world.close()
    }

    /// A worker counts on a heartbeat once it was answered, so that the database must not forget it.
    @Test func `a heartbeat that was answered outlives the server`() async throws {
        let cluster = try Cluster(.on)
        let settings = try await cluster.makeDatabase("beats")
        let queue = ErasureQueue(Connection(settings), seal: World.seal)
        try await queue.migrate()
        try await queue.enroll(World.worker(1))
        _ = try await queue.add(person: "ann", order: [1], received: 0, due: 0)
        let lease = try #require(try await queue.claim(World.worker(1)))
        let admin = Connection(settings)
        _ = try await admin.run("UPDATE workers SET seen = seen - interval '1 hour'")
        try await queue.beat(World.worker(1))
        try cluster.crash()
        let after = ErasureQueue(Connection(settings), seal: World.seal)
        #expect(try await after.reap().isEmpty)
        try await after.settle(lease, evidence: [1])
        for connection in [queue, after] { await connection.close() }
        await admin.close()
        try cluster.stop()
    }
}
