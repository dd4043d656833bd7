import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import MockServer

/// A container whose databases are a mock service's in this process, behind the wire's form.
final class World: Sendable {
    let cloud: MockCloud
    let container: CKContainer
    /// What the next requests fail with, whatever they are.
    let faults = Locked<[CloudError]>([])
    /// The commands asked so far.
    let commands = Locked<[CloudCommand]>([])
    /// Whether requests wait until they are cancelled.
    let hangs = Locked(false)
    /// Called when a request has begun to wait.
    let asked = Locked<(@Sendable () -> Void)?>(nil)
    private static let name = "iCloud.com.example.world"

    init(options: MockOptions = MockOptions(), as user: Caller = .user("ada")) throws {
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
        let connection = CloudConnection(defaultContainer: Self.name) { address in
            FaultyDatabase(
                base: cloud.wireDatabase(at: address, by: user), faults: faults,
                commands: commands, hangs: hangs, asked: asked)
        }
        container = CKContainer(identifier: nil, connection: connection)
    }

    var ours: CKDatabase { container.privateCloudDatabase }

    func fail(_ errors: CloudError...) { faults.withLock { $0 = errors } }

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

    /// The user erases a zone in the settings of a device.
    func purge(_ zone: String) throws {
        guard let id = Container.ID(Self.name) else { throw Odd() }
        let address = Database.Address(container: id, environment: .development, scope: .private)
        let purged = try cloud.withStore { try $0.purgeZone(zone, at: address, user: "ada") }
        guard purged else { throw Odd() }
    }
}

/// Fails when told to, else asks another database.
private struct FaultyDatabase: CloudDatabase {
    let base: any CloudDatabase
    let faults: Locked<[CloudError]>
    let commands: Locked<[CloudCommand]>
    let hangs: Locked<Bool>
    let asked: Locked<(@Sendable () -> Void)?>
    var address: Database.Address { base.address }

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        commands.withLock { $0.append(command) }
        let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let fault { throw fault }
        if hangs.withLock({ $0 }) {
            asked.withLock { $0 }?()
            while !Task.isCancelled { await Task.yield() }
            throw CloudError(.cancelled)
        }
        return try await base.perform(command)
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
