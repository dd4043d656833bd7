import AsyncOperations
import Basics
import CloudModel
import DonationSync
import Donations
import InProcessMock
import MockStore
import SyncStorageContract

/// A service in memory, and one device of a user that only follows content.
final class CloudWorld {
    static let container = Container.ID("iCloud.com.example.notes")!
    let cloud: MockCloud
    let address: Database.Address
    private let time = Locked<Int64>(1_700_000_000_000)
    /// Who is signed in on the device.
    var user = "ann"
    var storage = MemoryStorage()
    let settings: SyncSettings
    private var machine: SyncMachine<MemoryStorage>
    private(set) var requests: [CloudCommand] = []

    init(
        _ scope: Database.Scope = .private, options: MockOptions = MockOptions(),
        _ change: (inout SyncSettings) -> Void = { _ in }
    ) throws {
        let time = time
        cloud = try MockCloud(
            options: options, clock: WallClock { Timestamp(milliseconds: time.withLock { $0 }) },
            users: ["ann", "bob"])
        address = Database.Address(
            container: Self.container, environment: .production, scope: scope)
        var settings = SyncSettings(address: address)
        change(&settings)
        self.settings = settings
        machine = SyncMachine(
            settings, entropy: SyncEntropy(SeededGenerator(seed: 1)), digest: .cheap)
    }

    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }

    func pass(_ seconds: Int64) { time.withLock { $0 += seconds * 1000 } }

    // MARK: The device

    func crash() {
        machine = SyncMachine(
            settings, entropy: SyncEntropy(SeededGenerator(seed: 1)), digest: .cheap)
    }

    /// Runs a round to its end, or to the given number of requests.
    @discardableResult
    func sync(requests limit: Int = 10_000) -> SyncAction {
        pass(1)
        var action = machine.start(&storage, now: now)
        var left = limit
        while left > 0 {
            switch action {
            case .read(let command):
                requests.append(.read(command))
                left -= 1
                let reply = Result { () throws(CloudError) in
                    try cloud.perform(.read(command), at: address, by: .user(user))
                }
                action = machine.received(reply, &storage, now: now)
            case .again: action = machine.start(&storage, now: now)
            case .write, .wait, .idle, .halted: return action
            }
        }
        return action
    }

    func donate(_ name: String, about record: String?, zone: String = "Notes") {
        pass(1)
        var donation = Donation(.interaction, identifier: name, type: "View", at: now)
        donation.link = ContentLink(
            Self.container, address.scope, zone: zoneID(zone), record: record)
        _ = storage.donate(donation, at: now)
    }

    var shown: [String] { storage.visibleRows.map(\.identifier).sorted() }

    func zoneID(_ name: String) -> RecordZone.ID {
        guard address.scope == .shared else { return RecordZone.ID(name) }
        return RecordZone.ID(name, ownerRecordName: recordName(of: "bob"))
    }

    func recordName(of user: String) -> String? {
        try? cloud.withStore {
            $0.userRecordName(of: user, in: Self.container, .production)
        }
    }

    // MARK: Other devices

    private func perform(_ command: CloudCommand, by user: String) throws {
        pass(1)
        let address = Database.Address(
            container: Self.container, environment: .production, scope: .private)
        _ = try cloud.perform(command, at: address, by: .user(user))
    }

    func createZone(_ name: String = "Notes", by user: String = "ann") throws {
        try perform(.write(.modifyZones([.create(RecordZone.ID(name))])), by: user)
    }

    func deleteZone(_ name: String = "Notes", by user: String = "ann") throws {
        try perform(.write(.modifyZones([.delete(RecordZone.ID(name))])), by: user)
    }

    func save(_ names: [String], zone: String = "Notes", by user: String = "ann") throws {
        let operations = names.map {
            RecordOperation(.forceReplace, recordName: $0, recordType: "Note")
        }
        try perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: operations, zoneID: RecordZone.ID(zone)))),
            by: user)
    }

    func delete(_ names: [String], zone: String = "Notes") throws {
        try perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: names.map { .forceDelete($0) }, zoneID: RecordZone.ID(zone)))),
            by: "ann")
    }

    func act(_ body: (MockStore, Database.Address) throws -> Void) throws {
        pass(1)
        let address = Database.Address(
            container: Self.container, environment: .production, scope: .private)
        try cloud.withStore { try body($0, address) }
    }
}
