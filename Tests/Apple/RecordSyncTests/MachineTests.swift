import CloudModel
import RecordSync
import Testing

/// What comes next, a step at a time.
struct MachineTests {
    private let trips = RecordZone.ID("trips")
    private func id(_ name: String) -> Record.ID { Record.ID(name, zoneID: trips) }

    /// Drives a machine with given answers, and writes down what it asked for.
    private struct Driver {
        var machine: RecordSyncMachine
        var words: [String] = []
        var now = Duration.zero
        var answers: (SyncEffect) -> SyncAnswer

        /// Goes on until the machine rests.
        mutating func drive() -> Duration? {
            var effect = machine.wake(now: now)
            while true {
                if case .rest(let moment) = effect { return moment }
                words.append(effect.shortWord)
                effect = machine.received(answers(effect), now: now)
            }
        }
    }

    private func machine(
        isAutomatic: Bool = false, _ body: (inout SyncState) -> Void = { _ in }
    ) -> RecordSyncMachine {
        var state = SyncState()
        state.change(to: "ann")
        body(&state)
        return RecordSyncMachine(
            SyncSettings(isAutomatic: isAutomatic, stateInterval: .seconds(9)), state: state,
            seed: 1)
    }

    private func usual(_ effect: SyncEffect) -> SyncAnswer {
        switch effect {
        case .identify: .user(.success("ann"))
        case .fetchDatabase: .list(of: trips)
        case .fetchZone:
            .zonePage(
                .success(
                    .init(
                        changed: [.init(name: "a", type: "Note")], deleted: ["b"],
                        token: ChangeToken("2"), moreComing: false)))
        case .askOptions(_, let options): .options(options)
        case .askBatch: .batch(nil)
        case .sendZones(let changes): .results(changes.map { _ in .saved(type: "") })
        case .sendRecords(let part): .results(part.changes.map { _ in .saved(type: "Note") })
        case .tell, .finish, .rest: .done
        }
    }

    @Test func `a fetch has its events in Apple's order`() {
        var driver = Driver(machine: machine(), answers: usual)
        _ = driver.machine.ask(for: .fetch(FetchOptions()))
        let due = driver.drive()
        #expect(due == nil)
        #expect(
            driver.words == [
                "identify", "willFetch", "fetchDatabase", "databaseChanges", "askOptions",
                "willFetchZone", "fetchZone", "zoneChanges", "didFetchZone", "didFetch", "state",
                "finish",
            ])
    }

    @Test func `zones go out before the batch, and again when the app adds some`() {
        let machine = machine { state in
            state.zoneChanges.add(.save(trips))
            state.records.add(.save(id("a")))
        }
        let first = id("a")
        var batches: [SyncBatch?] = [SyncBatch(saves: [first], deletes: []), nil]
        var driver = Driver(machine: machine) { effect in
            if case .askBatch = effect { return .batch(batches.removeFirst()) }
            return usual(effect)
        }
        _ = driver.machine.ask(for: .send(.all))
        let due = driver.drive()
        #expect(due == nil)
        #expect(
            driver.words == [
                "identify", "willSend", "sendZones", "sentZones", "askBatch", "sendRecords",
                "sentRecords", "askBatch", "didSend", "state", "finish",
            ])
        #expect(!driver.machine.state.hasPending)
    }

    @Test func `a batch goes in requests of 200, and of half when that is too much`() {
        let ids = (0..<450).map { id("r\($0)") }
        var sizes: [Int] = []
        var batches: [SyncBatch?] = [SyncBatch(saves: ids, deletes: []), nil]
        var driver = Driver(machine: machine()) { effect in
            if case .askBatch = effect { return .batch(batches.removeFirst()) }
            guard case .sendRecords(let part) = effect else { return usual(effect) }
            sizes.append(part.changes.count)
            return .results(
                part.changes.map { _ in
                    part.changes.count > 120 ? .failed(.tooLarge) : .saved(type: "Note")
                })
        }
        _ = driver.machine.ask(for: .send(.all))
        let due = driver.drive()
        #expect(due == nil)
        #expect(sizes == [200, 100, 100, 200, 100, 100, 50])
    }

    @Test func `an atomic batch is cut between zones, and one zone stays whole`() {
        let work = RecordZone.ID("work")
        let ids =
            (0..<150).map { id("r\($0)") }
            + (0..<250).map { Record.ID("w\($0)", zoneID: work) }
        var parts: [[Int]] = []
        var batches: [SyncBatch?] = [SyncBatch(saves: ids, deletes: [], isAtomic: true), nil]
        var driver = Driver(machine: machine()) { effect in
            if case .askBatch = effect { return .batch(batches.removeFirst()) }
            guard case .sendRecords(let part) = effect else { return usual(effect) }
            parts.append(part.positions)
            return usual(effect)
        }
        _ = driver.machine.ask(for: .send(.all))
        let due = driver.drive()
        #expect(due == nil)
        #expect(parts == [Array(0..<150), Array(150..<400)])
    }

    @Test func `a failure ends the run, and what was not sent is pending as before`() {
        let ids = (0..<250).map { id("r\($0)") }
        let machine = machine { state in for id in ids { state.records.add(.save(id)) } }
        var driver = Driver(machine: machine) { effect in
            if case .askBatch = effect { return .batch(SyncBatch(saves: ids, deletes: [])) }
            guard case .sendRecords(let part) = effect else { return usual(effect) }
            return .results(
                part.changes.map {
                    $0.id.recordName == "r7"
                        ? .failed(.busy(retryAfter: nil))
                        : $0.id.recordName == "r8" ? .failed(.lasting) : .saved(type: "Note")
                })
        }
        _ = driver.machine.ask(for: .send(.all))
        let due = driver.drive()
        #expect(due == nil)
        #expect(driver.words.filter { $0 == "sendRecords" }.count == 1)
        let left = driver.machine.state.records.changes.map(\.id.recordName)
        #expect(left == ["r7"] + (200..<250).map { "r\($0)" })
    }

    @Test func `the schedule waits as long as the service asked, and longer each time`() throws {
        var driver = Driver(machine: machine(isAutomatic: true)) { _ in
            .user(.failure(.transient(retryAfter: .seconds(40))))
        }
        driver.answers = { effect in
            if case .identify = effect {
                return .user(.failure(.transient(retryAfter: .seconds(40))))
            }
            return .done
        }
        let first = driver.drive()
        #expect(first == .seconds(40))
        driver.answers = { effect in
            if case .identify = effect { return .user(.failure(.transient(retryAfter: nil))) }
            return .done
        }
        var waits: [Duration] = []
        driver.now = .seconds(40)
        for _ in 0..<12 {
            let due = driver.drive()
            let moment = try #require(due)
            waits.append(moment - driver.now)
            driver.now = moment
        }
        #expect(zip(waits, waits.dropFirst()).contains { $0 * 1.5 < $1 })
        #expect(waits.allSatisfy { $0 <= .seconds(300) })
    }

    @Test func `without automatic work nothing is due`() {
        var driver = Driver(machine: machine { $0.records.add(.save(id("a"))) }, answers: usual)
        let due = driver.drive()
        #expect(due == nil)
        driver.machine.noteNews()
        driver.now = .seconds(1_000_000)
        let later = driver.drive()
        #expect(later == nil)
        #expect(driver.words.isEmpty)
    }

    @Test func `what the app leaves pending is not sent over and over`() {
        var driver = Driver(
            machine: machine(isAutomatic: true) { $0.records.add(.save(id("a"))) },
            answers: usual)
        let moment = driver.drive()
        #expect(moment == .seconds(60))
        #expect(driver.words.filter { $0 == "askBatch" }.count == 1)
    }

    @Test func `a push is followed at once, and looks are rarer while pushes come`() {
        var driver = Driver(machine: machine(isAutomatic: true), answers: usual)
        #expect(driver.drive() == .seconds(60))
        func fetches() -> Int { driver.words.count { $0 == "fetchDatabase" } }
        driver.now = .seconds(10)
        driver.machine.notePushes(areComing: true)
        #expect(driver.drive() == .seconds(910))
        #expect(fetches() == 2)
        driver.now = .seconds(20)
        driver.machine.noteNews()
        #expect(driver.drive() == .seconds(920))
        #expect(fetches() == 3)
        driver.now = .seconds(30)
        driver.machine.notePushes(areComing: false)
        #expect(driver.drive() == .seconds(90))
        #expect(fetches() == 4)
    }

    @Test(arguments: [true, false])
    func `a zone that went while its database's token was unknown is told as gone, once`(
        isPurged: Bool
    ) {
        let work = RecordZone.ID("work")
        var machine = machine { state in
            state.token = ChangeToken("old")
            state.zones[trips] = ZoneState()
            state.zones[trips]?.token = ChangeToken("t")
            state.zones[work] = ZoneState()
            state.records.add(.save(id("a")))
            state.records.add(.save(Record.ID("w", zoneID: work)))
            state.zoneChanges.add(.save(trips))
        }
        _ = machine.ask(for: .fetch(FetchOptions()))
        var driver = Driver(machine: machine) { effect in
            switch effect {
            case .fetchDatabase(let token?) where token == ChangeToken("old"):
                .databasePage(.failure(.tokenExpired))
            case .fetchDatabase:
                .databasePage(
                    .success(
                        .init(
                            changed: [work], deleted: [], token: ChangeToken("new"),
                            moreComing: false)))
            case .fetchZone(trips, _): .zonePage(.failure(.zoneMissing(isPurged: isPurged)))
            default: usual(effect)
            }
        }
        #expect(driver.drive() == nil)
        #expect(driver.words.count { $0 == "zoneGone" } == 1)
        #expect(driver.words.count { $0 == "didFetchZone" } == 2)
        let state = driver.machine.state
        #expect(Array(state.zones.keys) == [work])
        // What the user erased is not uploaded again; what another device deleted is the app's to say.
        let left = state.records.changes.map(\.id.recordName)
        #expect(left == (isPurged ? ["w"] : ["a", "w"]))
        #expect(state.zoneChanges.isEmpty == isPurged)
        driver.words = []
        _ = driver.machine.ask(for: .fetch(FetchOptions()))
        #expect(driver.drive() == nil)
        #expect(!driver.words.contains("zoneGone"))
    }

    @Test func `as many runs wait as may`() {
        var machine = machine()
        for number in 0..<RecordSyncMachine.waitingMax {
            let id = machine.ask(for: .send(.zones([RecordZone.ID("z\(number)")])))
            #expect(id != nil)
        }
        let refused = machine.ask(for: .send(.all))
        #expect(refused == nil)
        let same = machine.ask(for: .send(.zones([RecordZone.ID("z3")])))
        #expect(same == 4)
    }

    @Test func `cancelling ends the runs that wait, and what is pending stays`() {
        var driver = Driver(
            machine: machine { $0.records.add(.save(id("a"))) }, answers: usual)
        _ = driver.machine.ask(for: .send(.all))
        _ = driver.machine.ask(for: .fetch(FetchOptions()))
        driver.machine.cancel()
        let due = driver.drive()
        #expect(due == nil)
        #expect(driver.words == ["finish", "finish"])
        #expect(driver.machine.state.records.count == 1)
    }
}

extension SyncEffect {
    /// The name of the effect or the notice.
    fileprivate var shortWord: String {
        let text = if case .tell(let notice) = self { "\(notice)" } else { "\(self)" }
        return String(text.prefix { $0.isLetter })
    }
}
