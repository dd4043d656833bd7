import CloudModel
import RecordSync
import Testing

/// How long an engine waits, on a clock that moves only while it rests.
struct WaitingTests {
    /// An app with edits to send, and a service that refuses some of them.
    private struct World {
        var machine: RecordSyncMachine
        var now = Duration.zero
        /// The time rested until all was sent.
        var waited = Duration.zero
        var requests = 0
        var ends: [SyncEnd] = []
        /// Records of one batch.
        var batchMax = 200
        var isAtomic = false
        /// What the service says to a record at an attempt, from 1; nil: saved.
        var refuse: (Record.ID, Int) -> SyncFailure?
        private var attempts: [Record.ID: Int] = [:]
        private var results: [SyncResult] = []

        init(
            _ ids: [Record.ID], isAutomatic: Bool = true,
            refuse: @escaping (Record.ID, Int) -> SyncFailure?
        ) {
            var state = SyncState()
            state.change(to: "ann")
            for id in ids { state.records.add(.save(id)) }
            machine = RecordSyncMachine(
                SyncSettings(isAutomatic: isAutomatic), state: state, seed: 3)
            self.refuse = refuse
        }

        /// More requests than any test needs: an engine that never waits ends, too.
        private static let requestsMax = 1000

        /// Works until nothing is pending, or until a moment.
        mutating func run(until end: Duration = .seconds(86_400)) {
            var effect = machine.wake(now: now)
            while requests < Self.requestsMax {
                guard case .rest(let moment) = effect else {
                    let answer = answer(to: effect)
                    effect = machine.received(answer, now: now)
                    continue
                }
                guard machine.state.hasPending, let moment, moment < end else { return }
                waited += moment - now
                now = moment
                effect = machine.wake(now: now)
            }
        }

        private mutating func answer(to effect: SyncEffect) -> SyncAnswer {
            switch effect {
            case .identify: return .user(.success("ann"))
            case .fetchDatabase: return .list()
            case .fetchZone:
                return .zonePage(
                    .success(
                        .init(
                            changed: [], deleted: [], token: ChangeToken("1"), moreComing: false)))
            case .askOptions(_, let options): return .options(options)
            case .askBatch:
                let saves = machine.state.records.changes.prefix(batchMax).map(\.id)
                return .batch(
                    saves.isEmpty
                        ? nil : SyncBatch(saves: saves, deletes: [], isAtomic: isAtomic))
            case .sendZones(let changes): return .results(changes.map { _ in .saved(type: "") })
            case .sendRecords(let part): return .results(send(part))
            case .tell(.sentRecords(let part)):
                // The app resolves each conflict, and has the record saved again.
                let failed = zip(part.changes, results).filter { $1 == .failed(.lasting) }
                machine.change { state in
                    var isNew = false
                    for (change, _) in failed { isNew = state.records.add(change) || isNew }
                    return isNew
                }
                return .done
            case .finish(_, let end):
                ends.append(end)
                return .done
            case .tell, .rest: return .done
            }
        }

        private mutating func send(_ part: BatchPart) -> [SyncResult] {
            requests += 1
            results = part.changes.map { change in
                attempts[change.id, default: 0] += 1
                return refuse(change.id, attempts[change.id] ?? 0).map { .failed($0) }
                    ?? .saved(type: "Note")
            }
            if part.isAtomic, let first = results.firstIndex(of: .failed(.lasting)) {
                // The service names the first, and stores none.
                for index in results.indices where index != first {
                    results[index] = .failed(.lasting)
                }
            }
            return results
        }
    }

    private func ids(_ count: Int) -> [Record.ID] {
        (0..<count).map { Record.ID("r\($0)", zoneID: RecordZone.ID("notes")) }
    }

    /// Every 200th of many edits is a conflict, which the app resolves.
    @Test(arguments: [true, false])
    func `a conflict in each batch costs no waiting`(isAutomatic: Bool) {
        let ids = ids(10_000)
        let conflicts = Set(stride(from: 7, to: ids.count, by: 200).map { ids[$0] })
        var world = World(ids, isAutomatic: isAutomatic) { id, attempt in
            attempt == 1 && conflicts.contains(id) ? .lasting : nil
        }
        if !isAutomatic { _ = world.machine.ask(for: .send(.all)) }
        world.run()
        #expect(!world.machine.state.hasPending)
        #expect(world.waited == .zero)
        #expect(world.requests == 51)
        #expect(world.ends.allSatisfy { $0 == .completed })
    }

    @Test func `two devices that edit one note in turn do not slow each other down`() {
        let ids = ids(20)
        // Each second edit is a conflict.
        var world = World([], refuse: { _, attempt in attempt % 2 == 1 ? .lasting : nil })
        for id in ids + ids {
            world.machine.change { $0.records.add(.save(id)) }
            world.run()
        }
        #expect(!world.machine.state.hasPending)
        #expect(world.waited == .zero)
    }

    @Test func `several conflicts of an atomic batch are resolved within seconds`() {
        let ids = ids(200)
        let conflicts = Set(ids.prefix(5))
        var refused: Set<Record.ID> = []
        var world = World(ids) { id, _ in
            conflicts.contains(id) && refused.isEmpty ? .lasting : nil
        }
        world.isAtomic = true
        world.refuse = { id, _ in
            guard conflicts.contains(id), !refused.contains(id) else { return nil }
            refused.insert(id)
            return .lasting
        }
        world.run()
        #expect(!world.machine.state.hasPending)
        #expect(world.waited < .seconds(20))
    }

    /// The app gives the same record again and again, whatever the answer.
    @Test func `a record that fails for ever holds up no other, and is not sent in a tight loop`() {
        let ids = ids(1000)
        var world = World(ids) { id, _ in id == ids[0] ? .lasting : nil }
        world.run(until: .seconds(3600))
        #expect(world.machine.state.records.changes.map(\.id) == [ids[0]])
        // The caller of a send learns that an item has failed.
        #expect(world.ends.contains(.partly))
        #expect((10...60).contains(world.requests))
    }

    @Test func `what the engine retries still waits, longer each time`() {
        var world = World(ids(10)) { _, attempt in
            attempt <= 4 ? .busy(retryAfter: nil) : nil
        }
        world.run()
        #expect(!world.machine.state.hasPending)
        #expect((.seconds(7)...(.seconds(60))).contains(world.waited))
        #expect(world.requests == 5)
    }
}
