/// Runs a body with its own mock CloudKit service, and always stops it at the end.
///
///     @Test func `a note is saved`() async throws {
///         try await withMockCloud(seed: 7) { cloud in
///             let notes = Notes(cloud.container)
///             try await cloud.inject("1st records/modify -> THROTTLED retry 1s")
///             …
///         }
///     }
///
/// Nothing is left of it when this returns: no process, no thread, no file, no port.
///
/// Failures of the test inside the body say the seed, and the command that runs the test again with it. An error
/// that the body throws comes as ``MockCloudFailure``, which says the same; errors by which a test is cancelled
/// or skipped come as they are.
///
/// - Parameters:
///   - seed: What names, tokens and faults are made of: the same seed and the same requests make the same ones.
///     nil: the one in the variable `CLOUDKIT_MOCK_SEED`, or one that is drawn.
///   - depth: How far requests travel.
///   - configuration: What it begins with.
///   - test: What to call the test in failures outside of a test of Swift Testing.
///   - body: Gets the service.
/// - Throws: ``MockCloudFailure`` around what the body throws; ``MockCloudError`` when the service cannot be
///   started.
@discardableResult
public func withMockCloud<Value: Sendable>(
    seed: UInt64? = nil, depth: MockDepth = .socket,
    configuration: MockCloudConfiguration = MockCloudConfiguration(),
    test: String = #function, _ body: @Sendable (MockCloud) async throws -> Value
) async throws -> Value {
    let chosen = try ChosenSeed(seed)
    let backend = try Launch.backend(depth, configuration, seed: chosen.value)
    let result: Result<Value, any Error>
    do {
        let world = try World(backend, namespace: nil, url: backend.url, configuration)
        result = .success(
            try await Replay(chosen, depth, namespace: nil, test: test).watch {
                try await body(try await MockCloud(world))
            })
    } catch {
        result = .failure(error)
    }
    await backend.stop()
    return try result.get()
}
