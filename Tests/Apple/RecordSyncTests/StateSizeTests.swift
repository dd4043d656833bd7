import CloudModel
import Foundation
import RecordSync
import Testing

/// What an app writes that stores each state it is given.
struct StateSizeTests {
    /// A service with one zone of many records, an app that encodes each state, and a clock that moves
    /// with each page.
    private struct World {
        var machine: RecordSyncMachine
        var now = Duration.zero
        /// The time that a page takes.
        let page: Duration
        /// The sizes of the states that the app was given.
        var sizes: [Int] = []
        private let zone = RecordZone.ID("Notes")
        private let count: Int
        private var isListed = false

        init(records count: Int, page: Duration, state: SyncState? = nil) {
            self.count = count
            self.page = page
            var first = SyncState()
            first.change(to: "ann")
            machine = RecordSyncMachine(
                SyncSettings(isAutomatic: false), state: state ?? first, seed: 1)
        }

        /// The bytes of all states.
        var bytes: Int { sizes.reduce(0, +) }

        mutating func fetch() throws {
            _ = machine.ask(for: .fetch(FetchOptions()))
            var effect = machine.wake(now: now)
            while true {
                if case .rest = effect { return }
                effect = machine.received(try answer(to: effect), now: now)
            }
        }

        private mutating func answer(to effect: SyncEffect) throws -> SyncAnswer {
            switch effect {
            case .identify: return .user(.success("ann"))
            case .fetchDatabase: return .list(of: zone)
            case .fetchZone(_, let token):
                now += page
                let start = token.flatMap { Int($0.rawValue) } ?? 0
                let end = min(start + 200, count)
                return .zonePage(
                    .success(
                        .init(
                            changed: (start..<end).map {
                                .init(name: Self.name($0), type: "Note")
                            },
                            deleted: [], token: ChangeToken("\(end)"), moreComing: end < count)))
            case .askOptions(_, let options): return .options(options)
            case .tell(.state(let state)):
                sizes.append(try JSONEncoder().encode(state).count)
                return .done
            default: return .done
            }
        }

        /// A name as long as a UUID's.
        private static func name(_ number: Int) -> String {
            let digits = String(number)
            return "0FA2C8E4-7D1B-4C55-9E3A-" + String(repeating: "0", count: 12 - digits.count)
                + digits
        }
    }

    @Test(arguments: [20, 200, 1000])
    func `a first fetch writes a few times the state that it ends with`(
        milliseconds: Int
    ) throws {
        var world = World(records: 40_000, page: .milliseconds(milliseconds))
        try world.fetch()
        let last = try #require(world.sizes.last)
        #expect(world.bytes < last * 6, "\(world.bytes) bytes in \(world.sizes.count) states")
        // A process that ends on the way does not begin anew.
        #expect(world.sizes.count > 5)
    }

    @Test func `a few changes among many records are in one state, at the end`() throws {
        var world = World(records: 20_000, page: .milliseconds(20))
        try world.fetch()
        var next = World(
            records: 20_600, page: .seconds(2), state: world.machine.state)
        // However long ago the last state was.
        next.now = .seconds(3600)
        try next.fetch()
        #expect(next.sizes.count == 1)
    }

    @Test(arguments: [true, false])
    func `what the app adds is in a state before the run's next request`(adds: Bool) throws {
        var world = World(records: 20_000, page: .milliseconds(20))
        try world.fetch()
        // Before a run without anything to store has a state of its own.
        let now = world.now + .seconds(5)
        _ = world.machine.ask(for: .fetch(FetchOptions()))
        guard case .identify = world.machine.wake(now: now) else {
            Issue.record("a run asks first who is signed in")
            return
        }
        let change = PendingRecordChange.save(Record.ID("new", zoneID: RecordZone.ID("Notes")))
        if adds { world.machine.change { $0.records.add(change) } }
        let next = world.machine.received(.user(.success("ann")), now: now)
        if case .tell(.state(let state)) = next {
            #expect(adds)
            #expect(state.records.changes == [change])
        } else {
            #expect(!adds)
        }
    }
}
