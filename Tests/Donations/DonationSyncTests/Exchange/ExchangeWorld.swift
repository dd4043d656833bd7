import AsyncOperations
import Basics
import CloudModel
import DonationSync
import Donations
import InProcessMock
import MockStore
import SyncStorageContract

/// A service in memory, with devices of one user that exchange donations.
final class ExchangeWorld {
    static let address = Database.Address(
        container: Container.ID("iCloud.com.example.contacts")!, environment: .production,
        scope: .private)
    static let zone = DonationZone(bundleDigest: "0123456789abcdef")

    let cloud: MockCloud
    let time = Locked<Int64>(1_700_000_000_000)
    var requests: [CloudCommand] = []
    /// Given a request, may fail it before it is carried out, or lose its answer after.
    var fault: ((CloudCommand) -> (before: CloudError?, after: CloudError?))?
    /// Answers a request in the service's place.
    var answer: ((CloudCommand) -> CloudReply?)?

    init(options: MockOptions = MockOptions()) throws {
        let time = time
        let clock = WallClock { Timestamp(milliseconds: time.withLock { $0 }) }
        cloud = try MockCloud(options: options, clock: clock, users: ["ann"])
    }

    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }

    func pass(_ duration: Duration) {
        let now = now.advanced(by: duration).milliseconds
        time.withLock { $0 = now }
    }

    func perform(_ command: CloudCommand) -> Result<CloudReply, CloudError> {
        requests.append(command)
        let fault = fault?(command)
        if let error = fault?.before { return .failure(error) }
        if let reply = answer?(command) { return .success(reply) }
        let reply = Result { () throws(CloudError) in
            try cloud.perform(command, at: Self.address, by: .user("ann"))
        }
        if let error = fault?.after { return .failure(error) }
        return reply
    }

    /// All live records of the zone.
    var records: [String: Record] {
        var records: [String: Record] = [:]
        var token: ChangeToken?
        while true {
            let request = CloudCommand.read(
                .zoneChanges([
                    ZoneChangesRequest(zoneID: Self.zone.zoneID, token: token)
                ]))
            guard
                case .zoneChanges(let items)? = try? cloud.perform(
                    request, at: Self.address, by: .user("ann")),
                case .page(let page)? = items.first
            else { return records }
            for case .record(let record) in page.records {
                records[record.id.recordName] = record
            }
            token = page.token
            if !page.moreComing { return records }
        }
    }

    func records(_ type: String) -> [Record] {
        records.values.filter { $0.recordType == type }
    }

    /// Changes records as another device would, or an opponent.
    func modify(_ operations: [RecordOperation]) throws {
        _ = try cloud.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: operations, zoneID: Self.zone.zoneID, atomic: false))),
            at: Self.address, by: .user("ann"))
    }

    /// The user erases the zone, or loses its keys.
    func erase(_ reason: RecordZone.DeletionReason) throws {
        _ = try cloud.withStore {
            try $0.eraseZones(
                Self.zone.zoneID.zoneName, at: Self.address, user: "ann", reason: reason)
        }
    }

    /// Every token is old, and no deletion is remembered.
    func forgetHistory() throws {
        try cloud.withStore {
            try $0.compactTombstones()
            try $0.expireTokens()
        }
    }

    /// An opponent deletes the zone and creates it again, empty.
    func recreateZone() throws {
        _ = try cloud.withStore {
            try $0.recreateZone(Self.zone.zoneID.zoneName, at: Self.address, user: "ann")
        }
    }

    func deleteZone() throws {
        _ = try cloud.perform(
            .write(.modifyZones([.delete(Self.zone.zoneID)])), at: Self.address, by: .user("ann"))
    }
}

/// One device: its storage, and a machine that can be lost at any time.
final class ExchangeDevice {
    let world: ExchangeWorld
    let settings: SyncSettings
    var storage = MemoryStorage()
    var seed: UInt64
    private var lives: UInt64 = 0
    private(set) var last = SyncAction.idle
    var report = SyncReport()

    init(
        _ world: ExchangeWorld, seed: UInt64, isOn: Bool = true, includesItems: Bool = false,
        _ configure: (inout SyncSettings) -> Void = { _ in }
    ) {
        self.world = world
        self.seed = seed
        var settings = SyncSettings(
            address: ExchangeWorld.address, donationZone: ExchangeWorld.zone)
        configure(&settings)
        self.settings = settings
        if isOn { Exchange.setOn(true, includesItems: includesItems, &storage) }
    }

    /// Runs rounds until the device is at rest; what the last one said.
    @discardableResult
    func sync(rounds: Int = 1) -> SyncAction {
        for _ in 0..<rounds { last = round() }
        return last
    }

    private func round() -> SyncAction {
        lives += 1
        var machine = SyncMachine<MemoryStorage>(
            settings, entropy: SyncEntropy(SeededGenerator(seed: seed &* 1000 &+ lives)),
            digest: .cheap)
        defer { report.add(machine.report) }
        var action = machine.start(&storage, now: world.now)
        for _ in 0..<2000 {
            let command: CloudCommand
            switch action {
            case .read(let request): command = .read(request)
            case .write(let write): command = .write(write.request)
            case .again:
                action = machine.start(&storage, now: world.now)
                continue
            case .wait, .idle, .halted: return action
            }
            action = machine.received(world.perform(command), &storage, now: world.now)
        }
        return action
    }

    // MARK: Acts

    @discardableResult
    func donate(_ donation: Donation) -> DonationOutcome {
        world.pass(.seconds(1))
        return storage.donate(donation, at: world.now)
    }

    func delete(_ selector: DonationSelector, _ scope: DeletionScope = .everywhere) {
        world.pass(.seconds(1))
        storage.delete(selector, scope, now: world.now)
    }

    // MARK: What is there

    /// What rows say, in order: kind, name and title.
    var rows: [String] { storage.rows(after: nil, limit: .max).map(\.text).sorted() }
    var visible: [String] { storage.visibleRows.map { SyncedRow($0).text }.sorted() }
}

extension SyncedRow {
    fileprivate var text: String {
        let name =
            donation.identifier.isEmpty
            ? donation.persistentIdentifier ?? donation.title ?? "-" : donation.identifier
        return "\(donation.kind.rawValue) \(name)"
    }
}

extension SyncDigest {
    /// Quick, and good enough where nobody attacks.
    static let cheap = SyncDigest { key, message in
        var bytes: [UInt8] = []
        for round in UInt64(0)..<4 {
            var hash = FNV1a(from: FNV1a().value ^ (round &* 0x9E37_79B9_7F4A_7C15))
            hash.add(key)
            hash.add(message)
            var state = hash.value
            state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: state >> shift))
            }
        }
        return bytes
    }
}

extension Donation {
    static func interaction(_ name: String, group: String? = nil) -> Donation {
        var row = Donation(
            .interaction, identifier: name, type: "SendMessage", at: Timestamp(milliseconds: 0))
        row.group = group
        return row
    }

    static func activity(_ name: String?, title: String, related: String? = nil) -> Donation {
        var row = Donation(.activity, type: "view", at: Timestamp(milliseconds: 0))
        row.persistentIdentifier = name
        row.title = title
        row.relatedIdentifier = related
        return row
    }

    static func item(_ name: String, domain: String? = nil) -> Donation {
        var row = Donation(
            .searchableItem, identifier: name, type: "", at: Timestamp(milliseconds: 0))
        row.domain = domain
        return row
    }
}
