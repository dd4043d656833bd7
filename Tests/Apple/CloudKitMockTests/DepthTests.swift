import CloudKit
import CloudKitMock
import Foundation
import Testing

/// What a test can do to a mock cloud, at each depth.
@Suite(.timeLimit(.minutes(10)))
struct DepthTests {
    static let container = "iCloud.com.example.app"

    /// Runs a body at a depth with a zone of Ann's.
    private func withZone(
        _ depth: MockDepth, seed: UInt64 = 7,
        _ body: @Sendable (MockCloud, CKRecordZone.ID) async throws -> Void
    ) async throws {
        try await withMockCloud(seed: seed, depth: depth) { cloud in
            let zone = try await cloud.container.privateCloudDatabase.save(
                CKRecordZone(zoneName: "Notes"))
            try await body(cloud, zone.zoneID)
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `records are saved and read, each account's apart`(depth: MockDepth) async throws {
        try await withZone(depth) { cloud, zone in
            #expect(cloud.depth == depth && cloud.seed == 7 && cloud.namespace == nil)
            let ours = cloud.container.privateCloudDatabase
            let note = makeNote("n1", zone, "Milk")
            try await ours.save(note)
            let found = try await ours.record(for: note.recordID)
            #expect(found["title"] as? String == "Milk")
            let theirs = try await cloud.container(as: "bob").privateCloudDatabase
            #expect(try await theirs.allRecordZones().map(\.zoneID.zoneName) == ["_defaultZone"])
            #expect(try await cloud.accounts() == ["ann", "bob"])
            try await cloud.addAccount("carl")
            let third = try await cloud.container(as: "carl", device: "phone")
            #expect(try await third.accountStatus() == .available)
            let error = try await #require(
                throws: MockCloudError.self
            ) { _ = try await cloud.container(as: "carll") }
            #expect(error.description.contains("did you mean \"carl\"?"))
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `faults happen, are counted, and stand in the journal`(depth: MockDepth) async throws {
        try await withZone(depth) { cloud, zone in
            let ours = cloud.container.privateCloudDatabase
            try await cloud.inject(
                MockFault(
                    .error(.throttled, retryAfter: .seconds(30)), on: "records/modify", nth: 1))
            let refusal = try await #require(throws: MockCloudError.self) {
                try await cloud.inject("records/modfy -> cut before commit")
            }
            #expect(refusal.description.contains("records/modify"), "\(refusal)")
            let note = makeNote("n1", zone, "Milk")
            #expect(await code { try await ours.save(note) } == .requestRateLimited)
            // Until the time has come the device does not even ask.
            #expect(await code { try await ours.save(note) } == .requestRateLimited)
            #expect(try await cloud.requests("records/modify").count == 1)
            try await cloud.advanceClock(by: .seconds(31))
            try await ours.save(note)
            let fault = try #require(try await cloud.faults().first)
            #expect(fault.happened == 1 && fault.rule.contains("THROTTLED retry 30s"))
            let requests = try await cloud.requests("records/modify", account: "ann", zone: "Notes")
            #expect(requests.map(\.failure) == ["THROTTLED", nil])
            #expect(try await cloud.requests(zone: "Other").isEmpty)
            #expect(try await cloud.requests(account: "bob").isEmpty)
            #expect(requests.map(\.faults) == [[fault.id], []])
            #expect(requests.last?.codes == ["OK": 1] && requests.last?.status == 200)
            try await cloud.removeFaults()
            #expect(try await cloud.faults().isEmpty)
            try await cloud.forgetRequests()
            #expect(try await cloud.requests().isEmpty)
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `a cut after commit is an error, and the record is there`(depth: MockDepth) async throws {
        try await withZone(depth) { cloud, zone in
            let ours = cloud.container.privateCloudDatabase
            try await cloud.inject("1st records/modify -> cut after commit")
            let note = makeNote("n1", zone, "Milk")
            #expect(await code { try await ours.save(note) } == .serverResponseLost)
            #expect(try await ours.record(for: note.recordID)["title"] as? String == "Milk")
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `the clock stands, moves and shows in records`(depth: MockDepth) async throws {
        try await withZone(depth) { cloud, zone in
            let start = Date(timeIntervalSince1970: 1_790_000_000)
            try await cloud.freezeClock(at: start)
            #expect(try await cloud.now() == start)
            #expect(try await cloud.advanceClock(by: .seconds(90)) == start + 90)
            let ours = cloud.container.privateCloudDatabase
            let saved = try await ours.save(makeNote("n1", zone, "Milk"))
            #expect(saved.creationDate == start + 90)
            try await cloud.useRealClock()
            #expect(try await cloud.now() != start + 90)
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `what the service does later is done when told`(depth: MockDepth) async throws {
        try await withZone(depth) { cloud, zone in
            let ours = cloud.container.privateCloudDatabase
            try await ours.save(makeNote("n1", zone, "Milk"))
            let first = try await ours.recordZoneChanges(inZoneWith: zone, since: nil)
            #expect(try await cloud.simulate(.expireTokens) > 0)
            let error = await code {
                _ = try await ours.recordZoneChanges(inZoneWith: zone, since: first.changeToken)
            }
            #expect(error == .changeTokenExpired)
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `snapshots are kept and put back, and forks go their own way`(depth: MockDepth)
        async throws
    {
        try await withZone(depth) { cloud, zone in
            let ours = cloud.container.privateCloudDatabase
            let note = makeNote("n1", zone, "Milk")
            try await cloud.takeSnapshot("empty")
            try await ours.save(note)
            try await cloud.withFork { fork in
                let theirs = fork.container.privateCloudDatabase
                #expect(try await theirs.record(for: note.recordID)["title"] as? String == "Milk")
                try await theirs.deleteRecord(withID: note.recordID)
                #expect(fork.namespace == "fork" && fork.depth == depth)
            }
            try await cloud.withFork("old", of: "empty") { fork in
                let theirs = fork.container.privateCloudDatabase
                #expect(
                    await code { _ = try await theirs.record(for: note.recordID) }
                        == .unknownItem)
            }
            #expect(try await ours.record(for: note.recordID)["title"] as? String == "Milk")
            try await cloud.restoreSnapshot("empty")
            #expect(await code { _ = try await ours.record(for: note.recordID) } == .unknownItem)
            #expect(try await cloud.snapshots() == ["empty"])
            let error = try await #require(throws: MockCloudError.self) {
                try await cloud.restoreSnapshot("emty")
            }
            #expect(error.description.contains("there is no snapshot \"emty\""))
            try await cloud.reset()
            #expect(try await ours.allRecordZones().map(\.zoneID.zoneName) == ["_defaultZone"])
        }
    }

    @Test func `one seed makes the same names at every depth, and another makes others`()
        async throws
    {
        var names: [String] = []
        for (depth, seed) in [(MockDepth.inProcess, 7), (.wire, 7), (.socket, 7), (.wire, 8)] {
            names.append(
                try await withMockCloud(seed: UInt64(seed), depth: depth) { cloud in
                    try await cloud.container.userRecordID().recordName
                })
        }
        #expect(Set(names.prefix(3)).count == 1)
        #expect(names[3] != names[0])
    }

    @Test func `programs are led to a server alone`() async throws {
        try await withMockCloud(depth: .wire) { cloud in
            #expect(cloud.certificateFile == nil)
            await #expect(throws: MockCloudError.self) { _ = try await cloud.variables() }
        }
        try await withMockCloud { cloud in
            let variables = try await cloud.variables(as: "bob")
            #expect(variables["CLOUDKIT_EMULATOR_URL"] == cloud.address)
            #expect(cloud.address.hasPrefix("https://localhost:"))
            let file = try #require(variables["CLOUDKIT_EMULATOR_CA"])
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("-----BEGIN"))
            let configuration = try CloudKitConfiguration(environment: variables)
            #expect(configuration.server?.url == cloud.address)
            let zones = try await cloud.administer("GET", "users")
            #expect(String(decoding: zones, as: UTF8.self).contains("bob"))
        }
    }
}

/// A note that is not saved yet.
func makeNote(_ name: String, _ zone: CKRecordZone.ID, _ title: String) -> CKRecord {
    let note = CKRecord(
        recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    note["title"] = title
    return note
}

/// What a request fails with; nil when it does not, or with no error of CloudKit's.
func code(_ body: () async throws -> Void) async -> CKError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? CKError)?.code
    }
}
