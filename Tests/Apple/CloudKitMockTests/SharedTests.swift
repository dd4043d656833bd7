import CloudKit
import CloudKitMock
import Testing

/// Fifty tests at once in namespaces of one server.
@Suite(.timeLimit(.minutes(10)))
struct SharedTests {
    private static let service = SharedMockCloud(seed: 7)

    @Test(arguments: 1...50)
    func `none of many tests at once sees another`(number: Int) async throws {
        try await Self.service.withNamespace("apart-\(number)") { cloud in
            #expect(cloud.namespace == "apart-\(number)")
            try await cloud.inject("2nd records/modify -> CONFLICT")
            let ours = cloud.container.privateCloudDatabase
            #expect(try await ours.allRecordZones().count == 1)
            let zone = try await ours.save(CKRecordZone(zoneName: "Notes")).zoneID
            try await ours.save(makeNote("n", zone, "\(number)"))
            #expect(await code { try await ours.save(makeNote("m", zone, "x")) } != nil)
            let found = try await ours.record(for: CKRecord.ID(recordName: "n", zoneID: zone))
            #expect(found["title"] as? String == "\(number)")
            let requests = try await cloud.requests()
            #expect(requests.map(\.number) == Array(1...5))
        }
    }

    @Test func `a namespace has the test's name, and a second one of that name is refused`()
        async throws
    {
        let service = SharedMockCloud(seed: 7, depth: .inProcess)
        try await service.withNamespace { cloud in
            #expect(cloud.namespace?.hasPrefix("a-namespace-has-the-test-s-name") == true)
            let refusal = try await #require(throws: MockCloudError.self) {
                try await service.withNamespace { _ in }
            }
            #expect(refusal.description.contains("already"))
            try await cloud.withNamespace("other") { other in
                let requests = try await other.requests()
                #expect(requests.isEmpty && other.namespace == "other")
            }
        }
    }

    @Test func `tests of one name in two files have namespaces of their own`() async throws {
        let service = SharedMockCloud(seed: 7, depth: .inProcess)
        func name(_ file: String) async throws -> String? {
            try await service.withNamespace(file: file, test: "test()") { $0.namespace }
        }
        let (one, other) = (try await name("One.swift"), try await name("Other.swift"))
        #expect(one != other && one?.hasPrefix("test-") == true)
        #expect(try await name("One.swift") == one)
    }

    @Test(arguments: MockDepth.allCases)
    func `a namespace is gone after its body, and a failure of the body is told`(
        depth: MockDepth
    ) async throws {
        struct Planned: Error {}
        try await withMockCloud(depth: depth) { cloud in
            for _ in 0..<2 {
                try await cloud.withNamespace("side") { _ in }
                await #expect(throws: Planned.self) {
                    try await cloud.withNamespace("side") { _ in throw Planned() }
                }
                // Who has deleted it already hears of the body, too.
                await #expect(throws: Planned.self) {
                    try await cloud.withNamespace("side") { _ in
                        try await cloud.administer("DELETE", "namespaces?name=side")
                        throw Planned()
                    }
                }
            }
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `what a namespace is called decides what chance does there`(depth: MockDepth)
        async throws
    {
        @Sendable func failures(_ namespace: String) async throws -> [Bool] {
            let service = SharedMockCloud(seed: 7, depth: depth)
            return try await service.withNamespace(namespace) { cloud in
                try await cloud.inject("50% any -> INTERNAL_ERROR")
                var failures: [Bool] = []
                for _ in 0..<40 {
                    failures.append(
                        await code {
                            _ = try await cloud.container.privateCloudDatabase.allRecordZones()
                        } != nil)
                }
                return failures
            }
        }
        let one = try await failures("one")
        #expect(Set(one).count == 2)
        #expect(try await failures("one") == one)
        #expect(try await failures("two") != one)
    }
}
