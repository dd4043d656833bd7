import Basics
import CloudClient
import CloudKit
import CloudModel
import Foundation
import HTTPClient

/// The cost of Apple's names over the client's own, and of a long list of changes.
///
///     CloudKitLoad modify URL CA-FILE API-TOKEN WEB-TOKEN ROUNDS
///     CloudKitLoad changes URL CA-FILE API-TOKEN WEB-TOKEN ZONE
///     CloudKitLoad engine-send URL CA-FILE API-TOKEN WEB-TOKEN ROUNDS
///     CloudKitLoad engine-fetch URL CA-FILE API-TOKEN WEB-TOKEN 1
///
/// The first prints the median milliseconds of saving 200 records through each; the second the
/// number of records fetched and the process's peak memory in KiB; the others the same of
/// `CKSyncEngine`, the first of 10,000 records.
@main
enum CloudKitLoad {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 7 else {
            print("usage: CloudKitLoad WHAT URL CA-FILE API-TOKEN WEB-TOKEN ROUNDS|ZONE")
            exit(2)
        }
        CloudKitConfiguration.bootstrap(
            CloudKitConfiguration(
                server: .init(url: arguments[2], certificateAuthorityFile: arguments[3]),
                defaultContainerIdentifier: container,
                credential: .tokens(api: arguments[4], webAuth: arguments[5])))
        do {
            let rounds = Int(arguments[6]) ?? 1
            switch arguments[1] {
            case "modify": try await modify(arguments, rounds: rounds)
            case "engine-send": try await EngineLoad.send(rounds: rounds)
            case "engine-fetch": try await EngineLoad.fetch()
            default: try await changes(zone: arguments[6])
            }
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    private static let container = "iCloud.com.example.bench"
    private static let count = 200

    // MARK: - Saving

    private static func modify(_ arguments: [String], rounds: Int) async throws {
        guard let endpoint = CloudEndpoint(arguments[2], trust: .file(arguments[3])),
            let id = Container.ID(container)
        else { throw CKError(.badContainer) }
        let client = endpoint.makeClient()
        let plain = HTTPCloudDatabase(
            address: Database.Address(container: id, environment: .development, scope: .private),
            endpoint: endpoint,
            credential: .apiToken(arguments[4], web: WebAuthTokenStore(token: arguments[5])),
            client: client,
            clock: WallClock {
                Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            })
        let native = CKContainer.default().privateCloudDatabase
        let zone = try await native.save(CKRecordZone(zoneName: "Load")).zoneID
        var times: (plain: [Double], native: [Double]) = ([], [])
        for round in 0..<(rounds + 5) {
            let first = try await milliseconds { try await save(round, plain) }
            let second = try await milliseconds { try await save(round, native, zone) }
            guard round >= 5 else { continue }
            times.plain.append(first)
            times.native.append(second)
        }
        client.shutdown()
        print("client_ms \(median(times.plain)) cloudkit_ms \(median(times.native))")
    }

    private static func save(_ round: Int, _ database: HTTPCloudDatabase) async throws {
        let operations = (0..<count).map { number in
            RecordOperation(
                .forceUpdate, recordName: "plain-\(number)", recordType: "Note",
                fields: [
                    "title": Field(.string("note \(number)")),
                    "body": Field(.string("the quick brown fox \(round)")),
                    "count": Field(.int64(Int64(number))), "real": Field(.double(0.5)),
                    "done": Field(.int64(1)),
                    "tags": Field(.list(.string, [.string("a"), .string("b")])),
                    "when": Field(.timestamp(Timestamp(milliseconds: 1_000))),
                ])
        }
        let reply = try await database.modifyRecords(
            RecordModifyRequest(operations: operations, zoneID: RecordZone.ID("Load")))
        for case .record(let record) in reply.records where record.recordChangeTag.isEmpty {
            throw CKError(.internalError)
        }
        guard reply.records.count == count else { throw CKError(.internalError) }
    }

    private static func save(
        _ round: Int, _ database: CKDatabase, _ zone: CKRecordZone.ID
    ) async throws {
        let records = (0..<count).map { number in
            let id = CKRecord.ID(recordName: "native-\(number)", zoneID: zone)
            let record = CKRecord(recordType: "Note", recordID: id)
            record["title"] = "note \(number)"
            record["body"] = "the quick brown fox \(round)"
            record["count"] = number
            record["real"] = 0.5
            record["done"] = true
            record["tags"] = ["a", "b"]
            record["when"] = Date(timeIntervalSince1970: 1)
            return record
        }
        let results = try await database.modifyRecords(
            saving: records, deleting: [], savePolicy: .changedKeys)
        for result in results.saveResults.values { _ = try result.get() }
        guard results.saveResults.count == count else { throw CKError(.internalError) }
    }

    private static func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
        let began = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - began) / .milliseconds(1)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    // MARK: - Fetching

    private static func changes(zone: String) async throws {
        let seen = Seen()
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [CKRecordZone.ID(zoneName: zone)])
        operation.recordWasChangedBlock = { _, result in seen.add(result) }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            operation.recordZoneFetchResultBlock = { _, result in
                if case .failure(let error) = result { seen.error = error }
            }
            operation.fetchRecordZoneChangesResultBlock = { result in
                done.resume(with: seen.error.map { .failure($0) } ?? result)
            }
            CKContainer.default().privateCloudDatabase.add(operation)
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let digits = (peak ?? "").filter { $0.isNumber }
        print("records \(seen.count) peak_kib \(digits)")
    }

    /// Counts, and looks at each record as an app would.
    // Unchecked: the blocks of an operation run one at a time.
    private final class Seen: @unchecked Sendable {
        var count = 0
        var error: (any Error)?

        func add(_ result: Result<CKRecord, any Error>) {
            switch result {
            case .success(let record): count += record.recordID.recordName.isEmpty ? 0 : 1
            case .failure(let error): self.error = error
            }
        }
    }
}
