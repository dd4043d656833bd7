import ErasureQueue
import PostgreSQL
import PostgreSQLCluster
import Testing

@Suite(needsServer, .timeLimit(.minutes(10)))
struct QueueTests {
    @Test func `a request goes in once, is leased, noted and settled`() async throws {
        let world = try await World()
        let (id, isNew) = try await world.queue.add(
            person: "ann", order: [1, 2], received: 5, due: 9)
        #expect(isNew)
        let again = try await world.queue.add(person: "ann", order: [1, 2], received: 6, due: 7)
        #expect(again == (id, false))
        let ann = World.worker(1)
        try await world.queue.enroll(ann)
        let lease = try #require(try await world.queue.claim(ann))
        #expect(lease.request == id && lease.order == [1, 2] && lease.attempt == 1)
        try await world.queue.note([7], number: 1, lease)
        try await world.queue.note([7], number: 1, lease)
        try await world.queue.note([8], number: 2, lease)
        #expect(try await world.queue.notes(id).map(\.1) == [[7], [8]])
        #expect(try await world.queue.evidence(id) == nil)
        try await world.queue.settle(lease, evidence: [9, 9])
        #expect(try await world.queue.evidence(id) == [9, 9])
        #expect(try await world.queue.notes(id).isEmpty)
        #expect(try await world.state(id) == .settled)
        #expect(await failure { try await world.queue.settle(lease, evidence: [1]) } == .fenced)
        #expect(try await world.queue.evidence(id) == [9, 9])
        // The person can ask again later.
        #expect(
            try await world.queue.add(person: "ann", order: [1, 2], received: 0, due: 0).isNew)
        await world.close()
    }

    @Test func `what is due first comes first, and nobody is passed over`() async throws {
        let world = try await World()
        let dues: [Int64] = (0..<40).map { ($0 * 17) % 40 }
        for due in dues { try await world.add("person \(due)", due: due * 1_000_000) }
        try await world.queue.enroll(World.worker(1))
        var served: [Int64] = []
        while let lease = try await world.queue.claim(World.worker(1)) {
            served.append(dues[Int(lease.request) - 1])
        }
        #expect(served == dues.sorted())
        #expect(try await world.queue.requests().allSatisfy { $0.isOverdue })
        await world.close()
    }

    @Test func `two requests of one person are never leased at once`() async throws {
        let world = try await World()
        let first = try await world.add("ann", "notes", due: 1)
        let second = try await world.add("ann", "photos", due: 2)
        let other = try await world.add("bob", due: 3)
        for number in [UInt8(1), 2, 3] { try await world.queue.enroll(World.worker(number)) }
        let lease = try #require(try await world.queue.claim(World.worker(1)))
        #expect(lease.request == first)
        #expect(try await world.queue.claim(World.worker(2))?.request == other)
        #expect(try await world.queue.claim(World.worker(3)) == nil)
        // The database itself refuses, whatever a statement says.
        let error = await #expect(throws: PostgreSQLError.self) {
            try await world.admin.run(
                "UPDATE requests SET state = 1, holder = $1 WHERE id = $2",
                .bytes(World.bytes(3)), .integer(second))
        }
        #expect(error?.constraint == "requests_held")
        try await world.queue.settle(lease, evidence: [])
        #expect(try await world.queue.claim(World.worker(3))?.request == second)
        await world.close()
    }

    @Test func `a failed attempt waits, the last one is parked, and an operator tries again`()
        async throws
    {
        var rules = QueueRules()
        rules.attemptsMax = 2
        rules.backOff = .seconds(3600)
        let world = try await World(rules)
        let id = try await world.add("ann")
        try await world.queue.enroll(World.worker(1))
        let first = try #require(try await world.queue.claim(World.worker(1)))
        try await world.queue.giveBack(first, status: 5)
        #expect(try await world.queue.claim(World.worker(1)) == nil)
        _ = try await world.admin.run("UPDATE requests SET not_before = '-infinity'")
        let second = try #require(try await world.queue.claim(World.worker(1)))
        #expect(second.attempt == 2 && second.fence > first.fence)
        try await world.queue.giveBack(second, status: 6)
        let row = try #require(try await world.queue.requests().first)
        #expect(row.state == .parked && row.status == 6 && row.isOverdue)
        #expect(try await world.queue.claim(World.worker(1)) == nil)
        try await world.queue.retry(id)
        #expect(try await world.queue.claim(World.worker(1))?.attempt == 1)
        #expect(await failure { try await world.queue.retry(id) } == .wrongState)
        #expect(await failure { try await world.queue.cancel(id) } == .wrongState)
        #expect(await failure { try await world.queue.cancel(99) } == .noSuchRequest)
        await world.close()
    }

    @Test func `a request that is withdrawn leaves no notes`() async throws {
        let world = try await World()
        let id = try await world.add("ann")
        let other = try await world.add("bob", due: 1)
        try await world.queue.enroll(World.worker(1))
        for request in [id, other] {
            let lease = try #require(try await world.queue.claim(World.worker(1)))
            #expect(lease.request == request)
            try await world.queue.note([7], number: 1, lease)
            #expect(await failure { try await world.queue.cancel(request) } == .wrongState)
            #expect(try await world.queue.notes(request).map(\.1) == [[7]])
            try await world.queue.giveBack(lease, status: 5)
        }
        try await world.queue.cancel(id)
        #expect(try await world.queue.notes(id).isEmpty)
        #expect(try await world.queue.notes(other).map(\.1) == [[7]])
        await world.close()
    }

    @Test func `a number that is taken is not noted again`() async throws {
        let world = try await World()
        let id = try await world.add("ann")
        try await world.queue.enroll(World.worker(1))
        let first = try #require(try await world.queue.claim(World.worker(1)))
        let note = { (bytes: [UInt8], lease: Lease) in
            await failure { try await world.queue.note(bytes, number: 1, lease) }
        }
        #expect(await note([7], first) == nil)
        #expect(await note([7], first) == nil)
        #expect(await note([8], first) == .wrongState)
        try await world.queue.release(first)
        let second = try #require(try await world.queue.claim(World.worker(1)))
        #expect(await note([8], second) == .wrongState)
        #expect(await note([7], second) == .wrongState)
        let notes = try await world.queue.notes(id)
        #expect(notes.map(\.fence) == [first.fence] && notes.map(\.1) == [[7]])
        await world.close()
    }

    @Test func `workers that are dead for a day and hold nothing are forgotten`() async throws {
        let world = try await World()
        for worker in UInt8(1)...4 { try await world.queue.enroll(World.worker(worker)) }
        try await world.add("ann")
        #expect(try await world.queue.claim(World.worker(3)) != nil)
        // 1 is long dead, 2 died just now, 3 is long dead and still named by a request, 4 lives.
        let change = "UPDATE workers SET is_dead = true, seen = seen - $1 * interval '1 day'"
        for (worker, days) in [(UInt8(1), Int64(2)), (2, 0), (3, 2)] {
            _ = try await world.admin.run(
                "\(change) WHERE id = $2", .integer(days), .bytes(World.bytes(worker)))
        }
        #expect(try await world.queue.reap().isEmpty)
        let left = try await world.admin.run("SELECT id FROM workers ORDER BY id")
        #expect(left == [2, 3, 4].map { Row([.bytes(World.bytes($0))]) })
        #expect(await failure { try await world.queue.beat(World.worker(1)) } == .declaredDead)
        await world.close()
    }

    @Test func `a request whose workers die is parked after as many as it may have`() async throws {
        var rules = QueueRules()
        rules.attemptsMax = 2
        let world = try await World(rules)
        let id = try await world.add("ann")
        for (worker, state) in [(UInt8(1), RequestState.ready), (2, .parked)] {
            try await world.queue.enroll(World.worker(worker))
            #expect(try await world.queue.claim(World.worker(worker))?.request == id)
            try await world.pause(worker)
            #expect(try await world.queue.reap() == [id: state])
        }
        await world.close()
    }

    @Test func `another version is refused by those who migrate and those who work`() async throws {
        let world = try await World()
        #expect(try await world.queue.version() == QueueSchema.version)
        try await world.add("ann")
        try await world.queue.enroll(World.worker(1))
        _ = try await world.admin.run("UPDATE meta SET value = value + 1")
        #expect(await failure { try await world.queue.migrate() } == .wrongVersion)
        #expect(await failure { _ = try await world.queue.claim(World.worker(1)) } == .wrongVersion)
        #expect(await failure { try await world.queue.beat(World.worker(1)) } == .wrongVersion)
        await world.close()
    }

    @Test func `tables are made once, however many make them at once`() async throws {
        let settings = try await SharedCluster.database()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let queue = ErasureQueue(Connection(settings), seal: World.seal)
                    try await queue.migrate()
                    await queue.close()
                }
            }
            try await group.waitForAll()
        }
        let queue = ErasureQueue(Connection(settings), seal: World.seal)
        #expect(try await queue.version() == QueueSchema.version)
        await queue.close()
        let empty = ErasureQueue(
            Connection(try await SharedCluster.database()), seal: World.seal)
        #expect(await failure { _ = try await empty.claim(World.worker(1)) } == .wrongVersion)
        await empty.close()
    }

    @Test func `another key opens nothing`() async throws {
        let world = try await World()
        let id = try await world.add("ann")
        let stranger = ErasureQueue(
            Connection(world.settings), seal: QueueSeal(key: [UInt8](repeating: 1, count: 32)))
        try await stranger.enroll(World.worker(1))
        #expect(await failure { _ = try await stranger.claim(World.worker(1)) } == .unreadable)
        // Who cannot read it does not keep it.
        #expect(try await world.state(id) == .ready)
        #expect(try await world.queue.requests().map(\.status) == [2])
        await stranger.close()
        await world.close()
    }

    @Test func `no name, order, note, evidence or bucket is in a dump`() async throws {
        let world = try await World()
        let secrets = [
            "ann.person@example.com", "order with a token", "note of a zone", "evidence of hers",
            "iCloud.com.example.app",
        ]
        let id = try await world.add(secrets[0], secrets[1])
        try await world.queue.enroll(World.worker(1))
        let lease = try #require(try await world.queue.claim(World.worker(1)))
        try await world.queue.note(Array(secrets[2].utf8), number: 1, lease)
        _ = try await world.queue.take(1, from: secrets[4], rate: 1, cap: 5)
        let database = world.settings.database
        let cluster = try SharedCluster.shared()
        let open = String(decoding: try cluster.dump(database), as: UTF8.self)
        try await world.queue.settle(lease, evidence: Array(secrets[3].utf8))
        let settled = String(decoding: try cluster.dump(database), as: UTF8.self)
        #expect(open.contains("COPY public.requests") && settled.contains("COPY public.requests"))
        for secret in secrets {
            let hex = secret.utf8.map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
            for dump in [open, settled] {
                #expect(!dump.contains(secret) && !dump.contains(hex))
            }
        }
        let rows = try await world.admin.run(
            "SELECT sealed IS NULL, (SELECT count(*) FROM notes) FROM requests WHERE id = $1",
            .integer(id))
        #expect(rows == [Row([true, 0])])
        await world.close()
    }

    @Test func `more than the queue takes is refused`() async throws {
        let world = try await World()
        let large = [UInt8](repeating: 0, count: ErasureQueue.orderBytesMax + 1)
        let error = await failure {
            _ = try await world.queue.add(person: "ann", order: large, received: 0, due: 0)
        }
        #expect(error == .tooLarge)
        let whole = Array(large.dropLast())
        _ = try await world.queue.add(person: "ann", order: whole, received: 0, due: 0)
        try await world.queue.enroll(World.worker(1))
        let lease = try #require(try await world.queue.claim(World.worker(1)))
        #expect(lease.order == whole)
        #expect(await failure { try await world.queue.note(large, number: 1, lease) } == .tooLarge)
        try await world.queue.note(whole, number: 1, lease)
        let evidence = [UInt8](repeating: 1, count: ErasureQueue.evidenceBytesMax)
        try await world.queue.settle(lease, evidence: evidence)
        #expect(try await world.queue.evidence(lease.request) == evidence)
        await world.close()
    }
}
