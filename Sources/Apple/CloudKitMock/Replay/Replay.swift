import Testing
import XCTest

/// What repeats a test, for its failures.
struct Replay: Sendable {
    let seed: UInt64
    /// A line for a shell.
    let command: String
    private let place: String

    /// - Parameters:
    ///   - namespace: nil: the service's own world.
    ///   - test: What the test is called where no library says.
    init(_ chosen: ChosenSeed, _ depth: MockDepth, namespace: String?, test: String) {
        seed = chosen.value
        place = "depth \(depth.rawValue)" + (namespace.map { ", namespace \($0)" } ?? "")
        let filter = Self.filter(Test.current.map { "\($0.id)" } ?? test)
        let words = [chosen.setting, "swift test --filter '\(filter)'"]
        command = words.compactMap { $0 }.joined(separator: " ")
    }

    /// What failures say.
    var line: String { Self.line(seed, command) + " (\(place))" }

    static func line(_ seed: UInt64, _ command: String) -> String {
        "The mock cloud's seed was \(seed); to repeat: \(command)"
    }

    /// A pattern for `swift test --filter` that takes a test of this name: its identifier without the place in
    /// the file, or as far as its name is plain.
    private static func filter(_ name: String) -> String {
        let parts = name.split(separator: "/")
        let isPlaced = parts.count > 1 && (parts.last?.contains(":") ?? false)
        let kept = isPlaced ? parts.dropLast() : parts[...]
        return kept.joined(separator: "/").prefix { $0 != "(" }.map { character in
            character.isLetter || character.isNumber || character == "/" || character == "_"
                ? String(character) : "."
        }.joined()
    }

    /// Runs a body so that failures of the test in it say all this.
    ///
    /// - Throws: ``MockCloudFailure``; what cancels or skips a test comes as it is.
    func watch<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            guard let test = Test.current else {
                return try await FailureObserver.watching(line, body)
            }
            return try await watch(test, body)
        } catch let error where error is CancellationError || error is XCTSkip {
            throw error
        } catch let failure as MockCloudFailure {
            throw failure
        } catch {
            throw MockCloudFailure(error: error, seed: seed, command: command)
        }
    }

    /// Adds a comment to each issue that Swift Testing records in the body.
    private func watch<Value: Sendable>(
        _ test: Test, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let line = line
        let trait = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            if !issue.comments.contains(where: { $0.rawValue == line }) {
                issue.comments.append(Comment(rawValue: line))
            }
            return issue
        }
        let result = ResultBox<Value>()
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
            await result.set { try await body() }
        }
        return try result.get()
    }
}
