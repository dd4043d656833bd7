import AsyncOperations
import Basics
import CloudModel
import DonationStore
import DonationSync
import Donations
import Foundation

/// A device with the code under test, over the donation store of a real one: a file that is closed
/// and opened again whenever the program dies.
///
/// The store has a thread of its own and is waited for; so the simulation must not run on the
/// shared pool.
final class StoreDevice: SimDevice {
    /// What it holds, as it was looked at last.
    private struct Contents: Sendable {
        let rows: [SyncedRow]
        let facts: ExchangeFacts
        let identity: String?
    }

    /// Where the store's commits end, and its time.
    private struct Weather: Sendable {
        var crash = SimCrash.none
        var now: Int64 = 0
    }

    /// The store gives each item an end; the app named none (see ``SimWorld/farAway``).
    private static let nothingExpires: Duration = .seconds(1_000_000_000)

    /// In memory where the system has files there: nothing of a simulation outlives it.
    private static let parent =
        FileManager.default.fileExists(atPath: "/dev/shm")
        ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
    /// The file of a new store: making its tables takes longer than most runs.
    private static let newFile = Result { try makeNewFile() }

    private let folder: String
    private let weather = Locked(Weather())
    private let settings: [SyncSettings]
    private let syncsItems: Bool
    private let seeds: () -> UInt64
    private var store: DonationStore
    private var machines: [SyncMachine<StoreSync>] = []
    private var contents: Contents?

    init(
        index: Int, user: String, plan: SimPlan, zone: DonationZone?, seeds: @escaping () -> UInt64
    ) throws {
        self.seeds = seeds
        syncsItems = plan.syncsItems
        folder =
            Self.parent.appendingPathComponent("cksweep-simulation-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try Self.newFile.get().write(to: URL(fileURLWithPath: folder + "/donations.sqlite"))
        let addresses = [SimWorld.private]
        settings = addresses.map { address in
            var settings = SyncSettings(address: address)
            settings.donationZone = zone
            settings.deletionsKept = plan.deletionsKept
            settings.sweepLimit = plan.sweepLimit
            return settings
        }
        store = try Self.open(folder, weather)
        super.init(index: index, user: user, addresses: addresses)
        machines = settings.map(machine)
        try switchOn(zone != nil)
    }

    deinit {
        close()
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.removeItem(atPath: folder + "-backup")
    }

    // MARK: The store

    private static func open(
        _ folder: String, _ weather: Locked<Weather>
    ) throws -> DonationStore {
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.journal", directory: folder,
            clock: WallClock { Timestamp(milliseconds: weather.withLock { $0.now }) })
        configuration.isDurable = false
        configuration.itemLifetime = nothingExpires
        configuration.hook = { step in
            let crash = weather.withLock { $0.crash }
            let isHere =
                switch crash {
                case .none: false
                case .beforeCommit: step == .beforeCommit
                case .afterCommit: step == .afterCommit
                }
            if isHere { throw CancellationError() }
        }
        return try DonationStore(configuration: configuration)
    }

    private static func makeNewFile() throws -> Data {
        let folder = parent.appendingPathComponent("cksweep-simulation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open(folder.path, Locked(Weather()))
        wait { await store.flushAndClose() }
        return try Data(contentsOf: folder.appendingPathComponent("donations.sqlite"))
    }

    private func close() {
        let store = store
        Self.wait { await store.flushAndClose() }
    }

    /// The program begins anew, with what reached the disk.
    override func restart() throws {
        close()
        try reopen()
    }

    private func reopen() throws {
        weather.withLock { $0.crash = .none }
        store = try Self.open(folder, weather)
        machines = settings.map(machine)
        lanes = lanes.map { _ in .rest }
        contents = nil
    }

    /// Waits for something that runs on the shared pool and the store's thread.
    private static func wait<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) -> Value {
        let result = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let value = await body()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("nothing came") }
        return value
    }

    /// Uses the store at a moment; what a look found before is old then.
    private func change<Value: Sendable>(
        at now: Timestamp,
        _ body: @escaping @Sendable (DonationStore) async throws(DonationError) -> Value
    ) throws -> Value {
        weather.withLock { $0.now = now.milliseconds }
        contents = nil
        let store = store
        return try Self.wait { () -> Result<Value, DonationError> in
            do throws(DonationError) {
                return .success(try await body(store))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func step<Value: Sendable>(
        _ body: @escaping @Sendable (inout StoreSync) throws(DonationError) -> Value
    ) throws -> Value {
        let now = Timestamp(milliseconds: weather.withLock { $0.now })
        return try change(at: now) { store throws(DonationError) in try await store.sync(body) }
    }

    private func look() throws -> Contents {
        if let contents { return contents }
        let now = Timestamp(milliseconds: weather.withLock { $0.now })
        let address = addresses[0]
        let found = try change(at: now) { store throws(DonationError) in
            try await store.syncState { sync throws(DonationError) in
                Contents(
                    rows: try sync.rows(after: nil, limit: .max), facts: try sync.exchange(),
                    identity: try sync.account(at: address).identity)
            }
        }
        contents = found
        return found
    }

    // MARK: The machine

    private func machine(_ settings: SyncSettings) -> SyncMachine<StoreSync> {
        SyncMachine(
            settings, entropy: SyncEntropy(SeededGenerator(seed: seeds())), digest: .quick)
    }

    override var nonce: String? { (try? look())?.facts.incarnation }

    override var identity: String? { (try? look())?.identity }

    override var takesPart: Bool { (try? look())?.facts.isOn ?? false }

    override func start(_ lane: Int, now: Timestamp, crash: SimCrash) throws -> SimLane {
        try run(lane, now, crash) { machine, sync throws(DonationError) in
            try machine.start(&sync, now: now)
        }
    }

    override func take(
        _ reply: Result<CloudReply, CloudError>, to command: CloudCommand, _ lane: Int,
        now: Timestamp, crash: SimCrash
    ) throws -> SimLane {
        try run(lane, now, crash) { machine, sync throws(DonationError) in
            try machine.received(reply, &sync, now: now)
        }
    }

    /// One transaction: all of it is stored or nothing.
    private func run(
        _ lane: Int, _ now: Timestamp, _ crash: SimCrash,
        _ body:
            @escaping @Sendable (inout SyncMachine<StoreSync>, inout StoreSync)
            throws(DonationError) -> SyncAction
    ) throws -> SimLane {
        let before = machines[lane]
        weather.withLock { $0.crash = crash }
        do {
            let (after, action) = try change(at: now) { store throws(DonationError) in
                try await store.sync { sync throws(DonationError) in
                    var machine = before
                    let action = try body(&machine, &sync)
                    return (machine, action)
                }
            }
            machines[lane] = after
            return Self.lane(action)
        } catch let error as DonationError {
            guard crash != .none, error.code == .broken else { throw error }
            try restart()
            return .rest
        }
    }

    private static func lane(_ action: SyncAction) -> SimLane {
        switch action {
        case .read(let request): .asked(.read(request))
        case .write(let write): .asked(.write(write.request))
        case .wait(let until, _): .waiting(until: until)
        case .again: .waiting(until: Timestamp(milliseconds: 0))
        case .idle, .halted: .rest
        }
    }

    // MARK: The app and the user

    override func donate(_ row: Donation, now: Timestamp) throws -> Bool {
        try change(at: now) { store throws(DonationError) in
            switch row.kind {
            case .activity: try await store.donateActivity(row).isStored
            case .searchableItem:
                try await store.index([(item: row, write: .replace)]).allSatisfy(\.isStored)
            default: try await store.donate([row]).allSatisfy(\.isStored)
            }
        }
    }

    override func erase(
        _ selector: DonationSelector, _ scope: DeletionScope, now: Timestamp
    ) throws {
        _ = try change(at: now) { store throws(DonationError) in
            try await store.delete(selector, scope: scope)
        }
    }

    override func expire(now: Timestamp) throws {
        _ = try change(at: now) { store throws(DonationError) in try await store.expire() }
    }

    override func rows() throws -> [SimRow] {
        try look().rows.map {
            SimRow(
                kind: $0.donation.kind, tag: Truth.tag(of: $0.donation) ?? -1,
                isParked: $0.isParked)
        }
    }

    override func donations() throws -> [Donation] { try look().rows.map(\.donation) }

    /// Deletions that wait to be sent need their names; then nothing is looked at.
    override func remains(of names: [String]) throws -> [String] {
        let isWaiting = try step { sync throws(DonationError) in
            try !sync.ownDeletions(limit: 1).isEmpty
        }
        guard !isWaiting else { return [] }
        close()
        defer { contents = nil }
        let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/donations.sqlite"))
        try reopen()
        return names.filter { file.range(of: Data($0.utf8)) != nil }
    }

    override func backUp() {
        close()
        let files = FileManager.default
        try? files.removeItem(atPath: folder + "-backup")
        try? files.copyItem(atPath: folder, toPath: folder + "-backup")
        let (old, before) = (machines, lanes)
        // The program goes on as if nothing had been.
        guard (try? reopen()) != nil else { return }
        (machines, lanes) = (old, before)
    }

    override func rollBack() -> Bool {
        let files = FileManager.default
        guard files.fileExists(atPath: folder + "-backup") else { return false }
        close()
        try? files.removeItem(atPath: folder)
        try? files.copyItem(atPath: folder + "-backup", toPath: folder)
        return (try? reopen()) != nil
    }

    override func signOut(now: Timestamp) throws {
        let before = machines[0]
        try change(at: now) { store throws(DonationError) in
            try await store.sync { sync throws(DonationError) in
                var machine = before
                try machine.signOut(&sync, now: now)
            }
        }
        machines = settings.map(machine)
    }

    private func switchOn(_ isOn: Bool) throws {
        let includesItems = syncsItems
        try step { sync throws(DonationError) in
            var facts = try sync.exchange()
            facts.isOn = isOn
            facts.includesItems = includesItems
            try sync.setExchange(facts)
        }
    }

    override func enable(now: Timestamp) throws {
        weather.withLock { $0.now = now.milliseconds }
        try switchOn(true)
        guard let zone = settings[0].donationZone?.zoneID else { return }
        let address = addresses[0]
        try step { sync throws(DonationError) in
            guard case .gone? = try sync.zone(zone, at: address)?.status else { return }
            try sync.setZone(SyncZone(zone), at: address)
        }
    }

    override func fence(_ zone: String, now: Timestamp) throws {
        let fence = SyncFence(
            address: addresses[0], zone: RecordZone.ID(zone), run: "run-\(now.milliseconds)",
            since: now)
        try step { sync throws(DonationError) in try sync.setFences([fence]) }
    }

    override func liftFence(_ zone: String, now: Timestamp) throws {
        let address = addresses[0]
        _ = try step { sync throws(DonationError) in
            try sync.liftFences(around: RecordZone.ID(zone), at: address)
        }
    }

    override func unfinished() throws -> String? {
        guard let zone = settings[0].donationZone?.zoneID, takesPart else { return nil }
        let address = addresses[0]
        return try step { sync throws(DonationError) -> String? in
            guard try sync.zone(zone, at: address)?.status == .live,
                try !sync.isFenced(zone, at: address)
            else { return nil }
            if let deletion = try sync.ownDeletions(limit: 1).first {
                return "deletion \(deletion.sequence) was never sent"
            }
            if let gone = try sync.pendingDeletes(limit: 1).first {
                return "the record \(gone.recordName.prefix(12)) was never deleted"
            }
            let includesItems = try sync.exchange().includesItems
            let rows = try sync.rowsToUpload(after: nil, includingItems: includesItems, limit: 1)
            return rows.first.map { "\($0.donation.title ?? "a row") was never sent" }
        }
    }
}
