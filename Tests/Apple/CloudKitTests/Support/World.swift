import AsyncOperations
import Basics
import CloudKit
import CloudModel
import Foundation
import InProcessMock
import MockStore

/// A container whose databases are a mock service's in this process, behind the wire's form.
final class World: Sendable {
    let cloud: MockCloud
    let container: CKContainer
    /// What the next requests fail with, whatever they are.
    let faults = Locked<[CloudError]>([])
    /// What the next requests that change records fail with.
    let faultsOnWrites = Locked<[CloudError]>([])
    /// What the next requests are answered with, without being carried out.
    let canned = Locked<[CloudReply]>([])
    /// What answers are turned into.
    let rewrite = Locked<(@Sendable (CloudReply) -> CloudReply)?>(nil)
    /// The time that throttles go by.
    let clock = ManualClock()
    /// Where changes of the account are told.
    let notifications = NotificationCenter()
    /// The commands asked so far.
    let commands = Locked<[CloudCommand]>([])
    /// Whether requests wait until they are cancelled.
    let hangs = Locked(false)
    /// Called when a request has begun to wait.
    let asked = Locked<(@Sendable () -> Void)?>(nil)
    private static let name = "iCloud.com.example.world"

    /// - Parameter stateFolder: Where long-lived operations are kept; nil: nowhere.
    init(
        options: MockOptions = MockOptions(), as user: Caller = .user("ada"),
        stateFolder: String? = nil
    ) throws {
        let time = Locked<Int64>(1_790_000_000_000)
        // Each look is a millisecond later, so that times can be told apart.
        let clock = WallClock {
            Timestamp(
                milliseconds: time.withLock {
                    $0 += 1
                    return $0
                })
        }
        let cloud = try MockCloud(options: options, clock: clock, seed: 7, users: ["ada", "bob"])
        self.cloud = cloud
        let (faults, commands, hangs, asked) = (faults, commands, hangs, asked)
        let faultsOnWrites = faultsOnWrites
        let (canned, rewrite) = (canned, rewrite)
        let connection = CloudConnection(
            defaultContainer: Self.name, clock: self.clock, notifications: self.notifications,
            stateFolder: stateFolder
        ) { address in
            FaultyDatabase(
                base: cloud.wireDatabase(at: address, by: user), faults: faults,
                faultsOnWrites: faultsOnWrites, canned: canned,
                rewrite: rewrite, commands: commands, hangs: hangs, asked: asked)
        }
        container = CKContainer(identifier: nil, connection: connection)
    }

    var ours: CKDatabase { container.privateCloudDatabase }

    func fail(_ errors: CloudError...) { faults.withLock { $0 = errors } }

    /// How many requests were sent.
    var requests: Int { commands.withLock { $0.count } }

    /// A zone, created.
    @discardableResult
    func zone(_ name: String) async throws -> CKRecordZone.ID {
        try await ours.save(CKRecordZone(zoneName: name)).zoneID
    }

    /// A record that is not saved yet.
    func note(_ name: String, _ zone: CKRecordZone.ID, title: String? = nil) -> CKRecord {
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
        if let title { record["title"] = title }
        return record
    }

    /// The user's private database, as the mock service knows it.
    private func address() throws -> Database.Address {
        guard let id = Container.ID(Self.name) else { throw Odd() }
        return Database.Address(container: id, environment: .development, scope: .private)
    }

    /// The user or the service takes a zone away.
    func lose(_ zone: CKRecordZone.ID, _ reason: RecordZone.DeletionReason) async throws {
        guard reason != .deleted else {
            try await ours.deleteRecordZone(withID: zone)
            return
        }
        let address = try address()
        let erased = try cloud.withStore {
            try $0.eraseZones(zone.zoneName, at: address, user: "ada", reason: reason)
        }
        guard erased == [zone.zoneName] else { throw Odd() }
    }

    /// Lets bob read a zone.
    func share(_ zone: CKRecordZone.ID) throws {
        let address = try address()
        let isDone = try cloud.withStore {
            try $0.shareZone(zone.zoneName, at: address, owner: "ada", with: "bob")
        }
        guard isDone else { throw Odd() }
    }

    /// Ends that.
    func unshare(_ zone: CKRecordZone.ID) throws {
        let address = try address()
        let left = try cloud.withStore {
            try $0.unshareZone(zone.zoneName, at: address, owner: "ada")
        }
        guard left == ["bob"] else { throw Odd() }
    }

    /// The same container on another user's device.
    func container(of user: String, stateFolder: String? = nil) -> CKContainer {
        let cloud = cloud
        let connection = CloudConnection(
            defaultContainer: Self.name, stateFolder: stateFolder
        ) { address in
            cloud.wireDatabase(at: address, by: .user(user))
        }
        return CKContainer(identifier: nil, connection: connection)
    }
}

/// Fails when told to, else asks another database.
private struct FaultyDatabase: CloudDatabase {
    let base: any CloudDatabase
    let faults: Locked<[CloudError]>
    let faultsOnWrites: Locked<[CloudError]>
    let canned: Locked<[CloudReply]>
    let rewrite: Locked<(@Sendable (CloudReply) -> CloudReply)?>
    let commands: Locked<[CloudCommand]>
    let hangs: Locked<Bool>
    let asked: Locked<(@Sendable () -> Void)?>
    var address: Database.Address { base.address }

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        commands.withLock { $0.append(command) }
        let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let fault { throw fault }
        if case .write(.modifyRecords) = command,
            let fault = faultsOnWrites.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
        {
            throw fault
        }
        if hangs.withLock({ $0 }) {
            asked.withLock { $0 }?()
            while !Task.isCancelled { await Task.yield() }
            throw CloudError(.cancelled)
        }
        if let reply = canned.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return reply }
        let reply = try await base.perform(command)
        return rewrite.withLock { $0 }?(reply) ?? reply
    }
}

/// An answer of another shape than the question.
struct Odd: Error {}

/// What a request fails with; nil when it does not.
func failure(_ body: () async throws -> Void) async -> CKError? {
    do {
        try await body()
        return nil
    } catch { return error as? CKError }
}

extension Result where Failure == any Error {
    var code: CKError.Code? {
        if case .failure(let error) = self { (error as? CKError)?.code } else { nil }
    }
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension CKDatabase {
    /// Adds an operation and waits for its end.
    func finish(_ operation: CKDatabaseOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }
}

extension CKContainer {
    /// Adds an operation and waits for its end.
    func finish(_ operation: CKOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }
}
