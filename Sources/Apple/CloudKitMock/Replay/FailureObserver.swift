import AsyncOperations
import XCTest

/// Adds to the first failure of an XCTest test what repeats it, while a mock cloud is there.
///
/// XCTest runs one test at a time, so whatever fails meanwhile is the test that the cloud is for.
final class FailureObserver: XCTestObservation, Sendable {
    private struct State {
        var isRegistered = false
        var lastWatch = 0
        /// What is still to be said, by watch.
        var lines: [Int: String] = [:]
    }
    private let state = Locked(State())
    private static let shared = FailureObserver()

    private init() {}

    /// Runs a body; failures meanwhile say the line.
    static func watching<Value: Sendable>(
        _ line: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let watch = await shared.begin(line)
        defer { shared.end(watch) }
        return try await body()
    }

    private func begin(_ line: String) async -> Int {
        let (watch, isFirst) = state.withLock { state in
            defer { state.isRegistered = true }
            state.lastWatch += 1
            state.lines[state.lastWatch] = line
            return (state.lastWatch, !state.isRegistered)
        }
        if isFirst { XCTestObservationCenter.shared.addTestObserver(self) }
        return watch
    }

    private func end(_ watch: Int) {
        state.withLock { $0.lines[watch] = nil }
    }

    func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String,
        inFile filePath: String?, atLine lineNumber: Int
    ) {
        // Each is said once: this failure, too, is observed.
        let lines = state.withLock { state in
            defer { state.lines = [:] }
            return state.lines.sorted { $0.key < $1.key }.map(\.value)
        }
        for line in lines {
            testCase.recordFailure(
                withDescription: line, inFile: filePath ?? "", atLine: lineNumber, expected: true)
        }
    }
}
