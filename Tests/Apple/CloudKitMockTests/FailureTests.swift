import CloudKitMock
import Foundation
import Testing
import XCTest

/// What the failures of tests say that use a mock cloud.
@Suite(.timeLimit(.minutes(10)), .enabled(if: !Child.isHere))
struct FailureTests {
    private static let prefix = "The mock cloud's seed was "

    @Test func `a failure of Swift Testing says seed, command and place`() throws {
        let ended = try Child.run(suite: "FailingTests", ["CLOUDKIT_MOCK_SEED": "12"])
        #expect(ended.status != 0)
        let lines = ended.text.split(separator: "\n").filter { $0.contains(Self.prefix) }
        let test = "swift test --filter 'CloudKitMockTests.FailingTests/"
        #expect(
            lines.contains { $0.contains("7; to repeat: \(test)expects") && $0.contains("wire") },
            "\(ended.text)")
        #expect(
            lines.contains { $0.contains("12; to repeat: CLOUDKIT_MOCK_SEED=12 \(test)throws") },
            "\(ended.text)")
        #expect(lines.contains { $0.contains("namespace apart") }, "\(ended.text)")
        // The command's own pattern finds the test.
        let filter = "CloudKitMockTests.FailingTests/expects"
        let again = try Child.run(
            ["--testing-library", "swift-testing", "--filter", filter])
        #expect(again.text.contains("1 test"), "\(again.text)")
    }

    @Test func `a failure of XCTest says the same`() throws {
        let ended = try Child.run(
            ["CloudKitMockTests.FailingXCTests"], ["CLOUDKIT_MOCK_SEED": "12"])
        #expect(ended.status != 0)
        let lines = ended.text.split(separator: "\n").filter { $0.contains(Self.prefix) }
        #expect(lines.contains { $0.contains("7; to repeat: swift test --filter 'testExpects") })
        #expect(
            lines.contains {
                $0.contains("12; to repeat: CLOUDKIT_MOCK_SEED=12 swift test --filter 'testThrows")
            }, "\(ended.text)")
        #expect(ended.text.contains("2 tests, with"), "\(ended.text)")
    }

    @Test func `XCTest uses a mock cloud at every depth`() throws {
        let ended = try Child.run(["CloudKitMockTests.NotesXCTests"])
        #expect(ended.status == 0, "\(ended.text)")
        #expect(ended.text.contains("Executed 1 test, with 0 failures"), "\(ended.text)")
    }

    @Test func `a seed that is no number is told`() throws {
        let ended = try Child.run(suite: "FailingTests/throws", ["CLOUDKIT_MOCK_SEED": "x"])
        #expect(ended.text.contains("CLOUDKIT_MOCK_SEED=x is not a whole number"))
    }

    @Test func `what cancels a test or skips it comes as it is, and all else in a failure`()
        async throws
    {
        await #expect(throws: CancellationError.self) {
            try await withMockCloud(depth: .inProcess) { _ in throw CancellationError() }
        }
        await #expect(throws: XCTSkip.self) {
            try await withMockCloud(depth: .inProcess) { _ in throw XCTSkip("no") }
        }
        let failure = try await #require(throws: MockCloudFailure.self) {
            try await withMockCloud(seed: 7, depth: .inProcess) { _ in throw Planned() }
        }
        #expect(failure.seed == 7 && failure.error is Planned)
    }
}

struct Planned: Error {}

/// Tests that fail, for others to look at.
@Suite(.enabled(if: Child.isHere), .timeLimit(.minutes(10)))
struct FailingTests {
    @Test func expects() async throws {
        try await withMockCloud(seed: 7, depth: .wire) { cloud in
            let accounts = try await cloud.accounts()
            #expect(accounts == ["nobody"])
        }
    }

    @Test func `throws`() async throws {
        try await withMockCloud(depth: .inProcess) { _ in throw Planned() }
    }

    @Test func `shared`() async throws {
        try await SharedMockCloud(depth: .inProcess).withNamespace("apart") { _ in
            Issue.record("planned")
        }
    }
}

final class FailingXCTests: XCTestCase {
    override func setUp() async throws {
        try XCTSkipUnless(Child.isHere, "these fail, for others to look at")
    }

    func testExpects() async throws {
        try await withMockCloud(seed: 7, depth: .wire) { cloud in
            let accounts = try await cloud.accounts()
            XCTAssertEqual(accounts, ["nobody"])
        }
    }

    func testThrows() async throws {
        try await withMockCloud(depth: .inProcess) { _ in throw Planned() }
    }
}
