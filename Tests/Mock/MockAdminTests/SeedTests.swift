import CloudModel
import Foundation
import MockAdmin
import MockSamples
import MockService
import MockStore
import RepositoryRoot
import Testing

/// Fixtures and the generator, as values.
struct SeedTests {
    /// The text of a fixture.
    static func text(_ name: String) throws -> String {
        try Repository.text("Containers/fixtures/\(name).json")
    }

    @Test(arguments: [
        "demo", "assets", "bystander", "default-zone-only", "empty", "odd-names", "references",
    ])
    func `every fixture of the folder can be read`(name: String) throws {
        let fixture = try Fixture.parse(Array(Self.text(name).utf8))
        #expect(fixture.shows.hasSuffix("."))
        #expect(!fixture.users.isEmpty)
        #expect(fixture.steps.isEmpty == (name == "empty"))
    }

    @Test func `the demo has two users in three containers, subscriptions and public records`()
        throws
    {
        let fixture = try Fixture.parse(Array(Self.text("demo").utf8))
        #expect(fixture.users.map(\.name) == ["ann", "bob"])
        #expect(Set(fixture.steps.map(\.address.container)).count == 3)
        #expect(fixture.steps.contains { $0.address.scope == .public })
        #expect(fixture.steps.contains { $0.command.operationPath == "subscriptions/modify" })
        let defaultTypes = fixture.steps.flatMap { step -> [String] in
            guard case .write(.modifyRecords(let request)) = step.command, request.zoneID.isDefault
            else {
                return []
            }
            return request.operations.compactMap(\.recordType)
        }
        #expect(Set(defaultTypes).count >= 5)
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "object"), (#"{"version":2,"shows":"x"}"#, "version"),
        (#"{"version":1}"#, "shows"), (#"{"version":1,"shows":"x","user":[]}"#, "users"),
        (#"{"version":1,"shows":"x","users":["no space"]}"#, "users[0]"),
        (
            #"{"version":1,"shows":"x","users":["a"],"databases":[{"container":"x","user":"a"}]}"#,
            "container"
        ),
        (
            #"{"version":1,"shows":"x","users":[],"databases":[{"container":"iCloud.a","user":"a"}]}"#,
            "not among"
        ),
        (#"{"version":1,"shows":"x","shows":"y"}"#, "repeated"),
    ])
    func `a malformed fixture is refused with its place`(text: String, reason: String) throws {
        let error = try #require(throws: MockError.self) {
            _ = try Fixture.parse(Array(text.utf8))
        }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test(arguments: [
        (#"{"base64":"***"}"#, "base64"), (#"{"base64":1}"#, "text"),
        (#"{"base64":"SGk=","size":2}"#, "\"size\""),
        (#"[{"base64":"SGk="},{"base64":"*"}]"#, "value[1]"),
    ])
    func `a malformed file is refused with its place`(value: String, reason: String) throws {
        let text = Self.fixture(
            #"{"recordName":"a","recordType":"Note","fields":{"photo":{"value":\#(value)}}}"#)
        let error = try #require(throws: MockError.self) {
            _ = try Fixture.parse(Array(text.utf8))
        }
        #expect(error.reason.contains(reason), "\(error.reason)")
        #expect(error.reason.contains("line 1, column"), "\(error.reason)")
    }

    @Test func `a file needs a record with a name, and a field that can have it`() throws {
        let nameless = Self.fixture(
            #"{"recordType":"Note","fields":{"photo":{"value":{"base64":"SGk="}}}}"#)
        let error = try #require(throws: MockError.self) {
            _ = try Fixture.parse(Array(nameless.utf8))
        }
        #expect(error.reason.contains("recordName"), "\(error.reason)")
    }

    private static func fixture(_ record: String) -> String {
        #"{"version":1,"shows":"x","users":["a"],"databases":[{"container":"iCloud.com.a","user":"a","#
            + #""zones":[{"name":"Z","records":[\#(record)]}]}]}"#
    }

    @Test(arguments: SeedProfile.allCases)
    func `the same seed makes the same pieces`(profile: SeedProfile) {
        var generator = SeedGenerator()
        generator.profile = profile
        generator.zones = 5
        generator.records = 7
        let first = Array(generator.pieces)
        #expect(Array(generator.pieces) == first)
        let zone = generator.records(ofZone: "Notes", user: "ann", in: Samples.main)
        #expect(zone == generator.records(ofZone: "Notes", user: "ann", in: Samples.main))
        #expect(zone != generator.records(ofZone: "Notes", user: "bob", in: Samples.main))
        generator.seed = 2
        #expect(zone != generator.records(ofZone: "Notes", user: "ann", in: Samples.main))
    }

    @Test func `generated names are legal and distinct`() {
        var generator = SeedGenerator()
        generator.records = 1000
        let records = generator.records(ofZone: "Notes", user: "ann", in: Samples.main)
        #expect(records.count == 1000)
        #expect(Set(records.map(\.recordName)).count == 1000)
        #expect(
            records.allSatisfy {
                $0.recordName.utf8.allSatisfy { $0 < 128 } && $0.recordName.utf8.count <= 255
            })
        #expect(Set(records.map(\.recordType)) == ["Folder", "Note"])
        let shape = SeedShape.shape(for: Samples.main, profile: .notes)
        let zones = (0..<2000).map(shape.zoneName)
        #expect(Set(zones).count == 2000)
        #expect(zones.allSatisfy { $0.utf8.count <= 255 && $0.utf8.allSatisfy { $0 < 128 } })
    }

    @Test(arguments: [(100, 36), (1500, 36), (7, 50), (10, 100)])
    func `so many of a hundred records are deleted again, each once`(
        records: Int, deleted: Int
    ) throws {
        var generator = SeedGenerator()
        generator.users = ["ann"]
        generator.containers = [Samples.main]
        generator.zones = 2
        generator.records = records
        generator.deleted = deleted
        var gone: [String: [String]] = [:]
        for case .step(let step) in generator.pieces {
            guard case .write(.modifyRecords(let request)) = step.command else { continue }
            #expect(request.operations.count <= 200)
            gone[request.zoneID.zoneName, default: []] += request.operations.filter {
                $0.kind == .forceDelete
            }.compactMap(\.recordName)
        }
        for zone in ["Notes", "Ideas & drafts (2024)"] {
            #expect(gone[zone]?.count == records * deleted / 100)
            #expect(Set(gone[zone] ?? []).count == records * deleted / 100)
        }
    }

    @Test func `a million zones are made piece by piece`() {
        var generator = SeedGenerator()
        generator.profile = .wide
        generator.users = ["ann"]
        generator.containers = [Samples.main]
        generator.zones = 1_000_000
        var zones = 0
        for piece in generator.pieces {
            guard case .zones(_, _, let range) = piece else { continue }
            #expect(range.count <= 200)
            zones += range.count
        }
        #expect(zones == 1_000_000)
    }

    @Test func `a seed ends with an error when a snapshot is restored before it is complete`()
        throws
    {
        let committer = try StoreCommitter(
            location: .memory, clock: .fixed(Samples.start), seed: 7)
        let store = committer.store
        try store.addUser(MockUser("ann"))
        try committer.commit()
        var snapshot = SimulatedEvent(.snapshot)
        snapshot.name = "empty"
        _ = try store.simulate(snapshot)
        var generator = SeedGenerator()
        generator.users = ["ann"]
        generator.containers = [Samples.main]
        generator.zones = 100
        generator.records = 1000
        let job = SeedJob(generator)
        try #require(try job.runSlice(store))
        try committer.commit()
        snapshot.kind = .restore
        _ = try store.simulate(snapshot)
        try committer.commit()
        let error = #expect(throws: MockStoreError.self) { _ = try job.runSlice(store) }
        #expect(error?.description.contains("seed it again") == true)
        #expect(try store.liveZoneNames(in: ResetScope()).isEmpty)
    }
}
