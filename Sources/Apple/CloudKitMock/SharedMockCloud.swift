import AsyncOperations
import Basics

/// One mock CloudKit service for many tests that run at once, each in a namespace of its own.
///
///     let service = SharedMockCloud(seed: 7)
///
///     @Test(arguments: 1...50) func `notes stay apart`(number: Int) async throws {
///         try await service.withNamespace("notes-\(number)") { cloud in … }
///     }
///
/// The service is started with the first namespace and ended with the last: nothing is left of it when no test
/// runs.
public final class SharedMockCloud: Sendable {
    private let seed: UInt64?
    private let depth: MockDepth
    private let configuration: MockCloudConfiguration
    private let host = Host()

    /// A service that is started when it is needed.
    ///
    /// - Parameters:
    ///   - seed: What names, tokens and faults of all namespaces are made of, together with their names.
    ///     nil: the one in the variable `CLOUDKIT_MOCK_SEED`, or one that is drawn at each start.
    ///   - depth: How far requests travel.
    ///   - configuration: What each namespace begins with.
    public init(
        seed: UInt64? = nil, depth: MockDepth = .socket,
        configuration: MockCloudConfiguration = MockCloudConfiguration()
    ) {
        (self.seed, self.depth, self.configuration) = (seed, depth, configuration)
    }

    /// Runs a body with its own namespace, and always deletes it at the end.
    ///
    /// - Parameters:
    ///   - name: 1 to 63 of `a-z`, `0-9` and `-`; no other test may have it at the same time. nil: a name
    ///     made of the test's.
    ///   - file: Where the test is.
    ///   - test: The test's name.
    ///   - body: Gets the namespace.
    /// - Throws: ``MockCloudFailure`` around what the body throws; ``MockCloudError`` when there is a namespace
    ///   of that name, or the service cannot be started.
    @discardableResult
    public func withNamespace<Value: Sendable>(
        _ name: String? = nil, file: String = #fileID, test: String = #function,
        _ body: @Sendable (MockCloud) async throws -> Value
    ) async throws -> Value {
        let name = name ?? Self.name(of: test, in: file)
        let (backend, chosen) = try await host.enter { [seed, depth, configuration] in
            let chosen = try ChosenSeed(seed)
            return (try Launch.backend(depth, configuration, seed: chosen.value), chosen)
        }
        let result: Result<Value, any Error>
        do {
            let home = try World(backend, namespace: nil, url: backend.url, configuration)
            result = .success(
                try await home.withNamespace(name) { _ in
                } body: { world in
                    try await Replay(chosen, depth, namespace: name, test: test).watch {
                        try await body(try await MockCloud(world))
                    }
                })
        } catch {
            result = .failure(error)
        }
        await host.leave()
        return try result.get()
    }

    /// A namespace's name that is the same at each run of a test: some of the test's, and a hash of all.
    private static func name(of test: String, in file: String) -> String {
        var slug = ""
        for byte in test.lowercased().utf8.prefix(200) where slug.utf8.count < 40 {
            let isPlain = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
            if isPlain {
                slug.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !slug.isEmpty, !slug.hasSuffix("-") {
                slug += "-"
            }
        }
        let hash = String(FNV1a.hash(file + " " + test), radix: 36)
        return slug.isEmpty || slug.hasSuffix("-") ? "test-" + slug + hash : slug + "-" + hash
    }
}

/// Keeps a mock server as long as somebody uses it.
private actor Host {
    private var users = 0
    private var running: (any Backend, ChosenSeed)?

    func enter(
        _ start: @Sendable () throws -> (any Backend, ChosenSeed)
    ) throws -> (any Backend, ChosenSeed) {
        let known = try running ?? start()
        running = known
        users += 1
        return known
    }

    func leave() async {
        users -= 1
        guard users == 0, let (backend, _) = running.take() else { return }
        await backend.stop()
    }
}
