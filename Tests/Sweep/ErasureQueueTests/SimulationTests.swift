import ErasureQueue
import Foundation
import PostgreSQL
import RandomSeeds
import Testing

/// Random workers that die, are paused and come back, against the queue as one would write it without
/// thinking.
@Suite(needsServer, .timeLimit(.minutes(30)))
struct SimulationTests {
    private static let seeds = Seeds.range("erasure queue simulation", 4, long: 100)

    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// A lease, and whose it was. Kept when it has ended: the dead talk.
    private struct Held {
        let lease: Lease
        let worker: UInt8
    }

    @Test(arguments: seeds)
    func `the queue does what a plain one does, whoever dies and comes back`(
        seed: UInt64
    ) async throws {
        var dice = Dice(state: seed)
        var rules = QueueRules()
        rules.attemptsMax = 3
        rules.backOff = .zero
        let world = try await World(rules)
        var plain = PlainQueue(attemptsMax: 3)
        var held: [Held] = []
        var notes: [Int64: [Int64]] = [:]
        let steps = Seeds.count(400, long: 2_000)

        for step in 0..<steps {
            let worker = plain.workers.keys.sorted().randomElement(using: &dice)
            let known = plain.requests.randomElement(using: &dice)
            let old = held.randomElement(using: &dice)
            switch (Int.random(in: 0..<20, using: &dice), worker, known, old) {
            case (0, _, _, _) where plain.workers.count < 30:
                let name = UInt8(plain.workers.count + 1)
                try await world.queue.enroll(World.worker(name))
                plain.workers[name] = PlainQueue.Worker()
            case (1...3, _, _, _) where plain.requests.count < 60:
                let person = "person \(Int.random(in: 0..<5, using: &dice))"
                let order = "order \(Int.random(in: 0..<2, using: &dice))"
                let due = Int64.random(in: 0..<5, using: &dice)
                let (id, isNew) = try await world.queue.add(
                    person: person, order: Array(order.utf8), received: 0, due: due)
                #expect(plain.open(person, order) == (isNew ? nil : id))
                if isNew {
                    plain.requests.append(
                        PlainQueue.Request(id: id, person: person, order: order, due: due))
                }
            case (4...7, let worker?, _, _):
                if plain.workers[worker]?.isDead == true {
                    #expect(
                        await failure { _ = try await world.queue.claim(World.worker(worker)) }
                            == .declaredDead)
                } else {
                    let lease = try await world.queue.claim(World.worker(worker))
                    let expected = plain.claim(worker)
                    #expect(lease?.request == expected?.id, "step \(step)")
                    #expect(lease?.fence == expected?.fence)
                    #expect(lease?.attempt == expected?.attempt)
                    #expect(
                        lease.map { String(decoding: $0.order, as: UTF8.self) } == expected?.order)
                    if let lease { held.append(Held(lease: lease, worker: worker)) }
                }
            case (8, let worker?, _, _):
                if plain.workers[worker]?.isDead == true {
                    #expect(
                        await failure { try await world.queue.beat(World.worker(worker)) }
                            == .declaredDead)
                } else {
                    try await world.queue.beat(World.worker(worker))
                    plain.workers[worker]?.isSilent = false
                }
            case (9, let worker?, _, _):
                try await world.pause(worker)
                plain.workers[worker]?.isSilent = true
            case (10, _, _, _):
                #expect(try await world.queue.reap() == plain.reap(), "CKSWEEP_SEED=\(seed)")
            case (11...12, _, _, let old?):
                let number = Int64(notes[old.lease.request]?.count ?? 0) + 1
                let note = Array("\(number)".utf8)
                try await write(
                    old, plain,
                    allowed: { _ in
                        notes[old.lease.request, default: []].append(old.lease.fence)
                    }, says: { try await world.queue.note(note, number: number, old.lease) })
            case (13...14, _, _, let old?):
                try await write(
                    old, plain,
                    allowed: { index in
                        plain.requests[index].state = .settled
                        plain.requests[index].holder = nil
                        notes[old.lease.request] = nil
                    },
                    says: { try await world.queue.settle(old.lease, evidence: [UInt8(step % 256)]) }
                )
            case (15, _, _, let old?):
                try await write(
                    old, plain,
                    allowed: { index in
                        let isLast = plain.requests[index].attempt >= 3
                        plain.requests[index].state = isLast ? .parked : .ready
                        plain.requests[index].holder = nil
                    }, says: { try await world.queue.giveBack(old.lease, status: 5) })
            case (16, _, _, let old?):
                try await write(
                    old, plain,
                    allowed: { index in
                        plain.requests[index].state = .ready
                        plain.requests[index].attempt -= 1
                        plain.requests[index].holder = nil
                    }, says: { try await world.queue.release(old.lease) })
            case (17, _, let known?, _):
                if known.state == .ready || known.state == .parked {
                    try await world.queue.cancel(known.id)
                    plain.change(known.id) { $0.state = .cancelled }
                    notes[known.id] = []
                } else {
                    #expect(
                        await failure { try await world.queue.cancel(known.id) } == .wrongState)
                }
            case (18, _, let known?, _):
                if known.state == .parked {
                    try await world.queue.retry(known.id)
                    plain.change(known.id) { request in
                        request.state = .ready
                        request.attempt = 0
                    }
                } else {
                    #expect(
                        await failure { try await world.queue.retry(known.id) } == .wrongState)
                }
            default: continue
            }
            try await compare(world, plain, "CKSWEEP_SEED=\(seed): after step \(step)")
            for (request, fences) in notes {
                #expect(try await world.queue.notes(request).map(\.fence) == fences)
            }
        }
        try await finish(world, plain)
        await world.close()
    }

    /// Only the present holder's word changes anything.
    private func write(
        _ held: Held, _ plain: PlainQueue, allowed: (Int) -> Void,
        says body: () async throws -> Void
    ) async throws {
        if let index = plain.holding(held.lease.request, held.worker, held.lease.fence) {
            try await body()
            allowed(index)
        } else {
            #expect(await failure(body) == .fenced)
        }
    }

    private func compare(_ world: World, _ plain: PlainQueue, _ moment: String) async throws {
        let rows = try await world.admin.run(
            "SELECT id, state, attempt, fence, holder FROM requests ORDER BY id")
        let expected = plain.requests.map { request in
            Row([
                Value.integer(request.id), .integer(request.state.rawValue),
                .integer(request.attempt),
                .integer(request.fence),
                request.holder.map { Value.bytes(World.bytes($0)) } ?? Value.null,
            ])
        }
        try #require(rows == expected, "\(moment)")
    }

    /// Whatever has happened: one worker that lives, and an operator, bring all to its end.
    private func finish(_ world: World, _ plain: PlainQueue) async throws {
        for name in plain.workers.keys { try await world.pause(name) }
        _ = try await world.queue.reap()
        try await world.queue.enroll(World.worker(200))
        for row in try await world.queue.requests() where row.state == .parked {
            try await world.queue.retry(row.id)
        }
        while let lease = try await world.queue.claim(World.worker(200)) {
            try await world.queue.settle(lease, evidence: [1])
        }
        for row in try await world.queue.requests() {
            #expect(row.state == .settled || row.state == .cancelled, "request \(row.id)")
        }
    }
}
