import Basics
import CloudModel
import DonationSync
import Donations
import SyncStorageContract

/// A device with the code under test, over a storage in memory.
final class MemoryDevice: SimDevice {
    private(set) var storage = MemoryStorage()
    private var machines: [SyncMachine<MemoryStorage>] = []
    private var backup: MemoryStorage?
    private let settings: [SyncSettings]
    private let defects: Set<Defect>
    private let syncsItems: Bool
    /// Gives each new machine numbers that no machine had.
    private let seeds: () -> UInt64
    /// Why it stopped, when it did.
    private(set) var halt: SyncHalt?

    init(
        index: Int, user: String, plan: SimPlan, zone: DonationZone?, seeds: @escaping () -> UInt64
    ) {
        self.seeds = seeds
        defects = plan.defects
        syncsItems = plan.syncsItems
        let addresses = [SimWorld.private]
        settings = addresses.map { address in
            var settings = SyncSettings(address: address)
            if address.scope == .private { settings.donationZone = zone }
            settings.deletionsKept = plan.deletionsKept
            settings.sweepLimit = plan.sweepLimit
            return settings
        }
        super.init(index: index, user: user, addresses: addresses)
        machines = settings.map(machine)
        var facts = storage.exchange()
        facts.isOn = zone != nil
        facts.includesItems = plan.syncsItems
        storage.setExchange(facts)
    }

    private func machine(_ settings: SyncSettings) -> SyncMachine<MemoryStorage> {
        SyncMachine(
            settings, entropy: SyncEntropy(SeededGenerator(seed: seeds())), digest: .quick)
    }

    override var nonce: String? { storage.exchange().incarnation }

    override var identity: String? { storage.account(at: addresses[0]).identity }

    override var takesPart: Bool { storage.exchange().isOn }

    // MARK: The machine

    override func start(_ lane: Int, now: Timestamp, crash: SimCrash) throws -> SimLane {
        run(lane, crash) { machine, storage in machine.start(&storage, now: now) }
    }

    override func take(
        _ reply: Result<CloudReply, CloudError>, to command: CloudCommand, _ lane: Int,
        now: Timestamp, crash: SimCrash
    ) throws -> SimLane {
        let reply = defects.contains(.emptyPageEnds) ? reply.endingAtEmptyPages : reply
        return run(lane, crash) { machine, storage in
            machine.received(reply, &storage, now: now)
        }
    }

    /// One transaction: all of it is stored or nothing.
    private func run(
        _ lane: Int, _ crash: SimCrash,
        _ body: (inout SyncMachine<MemoryStorage>, inout MemoryStorage) -> SyncAction
    ) -> SimLane {
        guard crash != .beforeCommit else {
            var lost = storage
            _ = body(&machines[lane], &lost)
            if defects.contains(.tokenBeforeData) { keepPositions(of: lost, lane) }
            restart()
            return .rest
        }
        let action = body(&machines[lane], &storage)
        spoil()
        guard crash == .none else {
            restart()
            return .rest
        }
        return self.lane(action)
    }

    /// The program begins anew: what was in flight is lost.
    override func restart() {
        machines = settings.map(machine)
        lanes = lanes.map { _ in .rest }
    }

    private func lane(_ action: SyncAction) -> SimLane {
        halt = nil
        switch action {
        case .read(let request): return .asked(.read(request))
        case .write(let write): return .asked(spoilt(.write(write.request)))
        case .wait(let until, _): return .waiting(until: until)
        case .again: return .waiting(until: Timestamp(milliseconds: 0))
        case .idle: return .rest
        case .halted(let why):
            halt = why
            return .rest
        }
    }

    // MARK: Defects

    private func keepPositions(of lost: MemoryStorage, _ lane: Int) {
        let address = addresses[lane]
        storage.setDatabase(lost.database(at: address), at: address)
        for zone in lost.zones(at: address, limit: .max) { storage.setZone(zone, at: address) }
        var facts = storage.exchange()
        facts.token = lost.exchange().token
        storage.setExchange(facts)
    }

    private func spoil() {
        guard defects.contains(.tombstoneForever) || defects.contains(.contextOverGaps) else {
            return
        }
        var facts = storage.exchange()
        if defects.contains(.tombstoneForever) { facts.context = [:] }
        if defects.contains(.contextOverGaps) {
            for deletion in storage.deletions() {
                facts.context[deletion.device] = max(
                    facts.context[deletion.device] ?? 0, deletion.sequence)
            }
        }
        storage.setExchange(facts)
    }

    private func spoilt(_ command: CloudCommand) -> CloudCommand {
        guard case .write(.modifyRecords(var request)) = command else { return command }
        request.operations = request.operations.map { operation in
            var operation = operation
            let isRow = operation.recordName?.hasPrefix("d-") ?? false
            if defects.contains(.conflictOverwritten), isRow, !operation.kind.isDelete {
                operation.kind = .forceReplace
                operation.recordChangeTag = nil
            }
            if defects.contains(.deletesAnyVersion), isRow, operation.kind == .delete {
                operation.kind = .forceDelete
                operation.recordChangeTag = nil
            }
            return operation
        }
        return .write(.modifyRecords(request))
    }

    // MARK: The app and the user

    override func donate(_ row: Donation, now: Timestamp) throws -> Bool {
        storage.donate(row, at: now).isStored
    }

    override func erase(
        _ selector: DonationSelector, _ scope: DeletionScope, now: Timestamp
    ) throws {
        storage.delete(selector, scope, now: now)
    }

    override func expire(now: Timestamp) throws {
        storage.expire(at: now)
        if defects.contains(.expiryStaysHere) { _ = storage.removeAllGone() }
    }

    override func rows() throws -> [SimRow] {
        storage.table.values.map {
            SimRow(
                kind: $0.donation.kind, tag: Truth.tag(of: $0.donation) ?? -1,
                isParked: $0.isParked)
        }
    }

    override func donations() throws -> [Donation] { storage.table.values.map(\.donation) }

    override func backUp() { backup = storage }

    override func rollBack() -> Bool {
        guard let backup else { return false }
        storage = backup
        restart()
        return true
    }

    override func signOut(now: Timestamp) throws {
        machines[0].signOut(&storage, now: now)
        restart()
    }

    override func enable(now: Timestamp) throws {
        var facts = storage.exchange()
        facts.isOn = true
        facts.includesItems = syncsItems
        storage.setExchange(facts)
        guard let zone = settings[0].donationZone?.zoneID,
            case .gone? = storage.zone(zone, at: addresses[0])?.status
        else { return }
        storage.setZone(SyncZone(zone), at: addresses[0])
    }

    override func fence(_ zone: String, now: Timestamp) throws {
        storage.setFences([
            SyncFence(
                address: addresses[0], zone: RecordZone.ID(zone), run: "run-\(now.milliseconds)",
                since: now)
        ])
    }

    override func liftFence(_ zone: String, now: Timestamp) throws {
        _ = storage.liftFences(around: RecordZone.ID(zone), at: addresses[0])
    }

    override func unfinished() throws -> String? {
        guard let zone = settings[0].donationZone?.zoneID, storage.exchange().isOn,
            storage.zone(zone, at: addresses[0])?.status == .live,
            !storage.isFenced(zone, at: addresses[0])
        else { return nil }
        if let deletion = storage.ownDeletions(limit: 1).first {
            return "deletion \(deletion.sequence) was never sent"
        }
        if let gone = storage.pendingDeletes(limit: 1).first {
            return "the record \(gone.recordName.prefix(12)) was never deleted"
        }
        let rows = storage.rowsToUpload(
            after: nil, includingItems: storage.exchange().includesItems, limit: 1)
        return rows.first.map { "\($0.donation.title ?? "a row") was never sent" }
    }
}

extension SyncDigest {
    /// A quick digest for the simulation: well mixed, and of no use against anybody.
    static let quick = SyncDigest { key, message in
        var hash = FNV1a()
        hash.add(key)
        hash.add(0xFF)
        hash.add(message)
        var generator = SeededGenerator(seed: hash.value)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for _ in 0..<4 {
            let word = generator.next()
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }
}

extension Result<CloudReply, CloudError> {
    /// The same, with empty pages taken for the last ones.
    fileprivate var endingAtEmptyPages: Self {
        guard case .success(.zoneChanges(let items)) = self else { return self }
        return .success(
            .zoneChanges(
                items.map { item in
                    guard case .page(var page) = item, page.records.isEmpty else { return item }
                    page.moreComing = false
                    return .page(page)
                }))
    }
}
