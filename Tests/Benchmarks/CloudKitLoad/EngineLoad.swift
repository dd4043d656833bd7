import CloudKit
import Foundation
import Synchronization

/// The cost of `CKSyncEngine` over operations of 200 records, and of a long fetch.
enum EngineLoad {
    private static let count = 10_000
    private static let batch = 200

    /// Prints the median seconds of sending 10,000 new records through the engine and through
    /// operations, in turns.
    static func send(rounds: Int) async throws {
        let database = CKContainer.default().privateCloudDatabase
        var times: (operations: [Double], engine: [Double]) = ([], [])
        for round in 0..<rounds {
            let first = try await database.save(CKRecordZone(zoneName: "Operations\(round)")).zoneID
            times.operations.append(
                try await seconds { try await throughOperations(first, database) })
            let second = try await database.save(CKRecordZone(zoneName: "Engine\(round)")).zoneID
            times.engine.append(try await seconds { try await throughEngine(second, database) })
            try await database.deleteRecordZone(withID: first)
            try await database.deleteRecordZone(withID: second)
        }
        print("operations_s \(median(times.operations)) engine_s \(median(times.engine))")
    }

    private static func note(_ number: Int, _ zone: CKRecordZone.ID) -> CKRecord {
        let id = CKRecord.ID(recordName: "note-\(number)", zoneID: zone)
        let record = CKRecord(recordType: "Note", recordID: id)
        record["title"] = "note \(number)"
        record["body"] = "the quick brown fox"
        record["count"] = number
        return record
    }

    private static func throughOperations(
        _ zone: CKRecordZone.ID, _ database: CKDatabase
    ) async throws {
        for start in stride(from: 0, to: count, by: batch) {
            let records = (start..<start + batch).map { note($0, zone) }
            let operation = CKModifyRecordsOperation(recordsToSave: records)
            operation.savePolicy = .ifServerRecordUnchanged
            operation.isAtomic = false
            let failed = Mutex<(any Error)?>(nil)
            operation.perRecordSaveBlock = { _, result in
                if case .failure(let error) = result { failed.withLock { $0 = error } }
            }
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                operation.modifyRecordsResultBlock = { result in
                    done.resume(with: failed.withLock { $0 }.map { .failure($0) } ?? result)
                }
                database.add(operation)
            }
        }
    }

    private static func throughEngine(
        _ zone: CKRecordZone.ID, _ database: CKDatabase
    ) async throws {
        let app = App(zone)
        let engine = app.engine(database)
        engine.state.add(
            pendingRecordZoneChanges: (0..<count).map {
                .saveRecord(CKRecord.ID(recordName: "note-\($0)", zoneID: zone))
            })
        try await engine.sendChanges()
        guard app.saved.withLock({ $0 }) == count else { throw CKError(.internalError) }
    }

    /// Prints how many records an engine fetched, and the process's peak memory in KiB.
    static func fetch() async throws {
        let app = App(.default)
        try await app.engine(CKContainer.default().privateCloudDatabase).fetchChanges()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let digits = (peak ?? "").filter { $0.isNumber }
        print("records \(app.fetched.withLock { $0 }) peak_kib \(digits)")
    }

    private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let began = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - began) / .seconds(1)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// An app that keeps its state as JSON, in memory.
    private final class App: CKSyncEngineDelegate {
        let saved = Mutex(0)
        let fetched = Mutex(0)
        private let state = Mutex(Data())
        private let zone: CKRecordZone.ID

        init(_ zone: CKRecordZone.ID) { self.zone = zone }

        func engine(_ database: CKDatabase) -> CKSyncEngine {
            var configuration = CKSyncEngine.Configuration(
                database: database, stateSerialization: nil, delegate: self)
            configuration.automaticallySync = false
            return CKSyncEngine(configuration)
        }

        func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
            switch event {
            case .stateUpdate(let update):
                let data = try? JSONEncoder().encode(update.stateSerialization)
                state.withLock { $0 = data ?? Data() }
            case .sentRecordZoneChanges(let sent):
                saved.withLock { $0 += sent.savedRecords.count }
            case .fetchedRecordZoneChanges(let changes):
                fetched.withLock { $0 += changes.modifications.count }
            default: break
            }
        }

        func nextRecordZoneChangeBatch(
            _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
        ) async -> CKSyncEngine.RecordZoneChangeBatch? {
            await CKSyncEngine.RecordZoneChangeBatch(
                pendingChanges: syncEngine.state.pendingRecordZoneChanges
            ) { id in note(Int(id.recordName.dropFirst(5)) ?? 0, id.zoneID) }
        }
    }
}
