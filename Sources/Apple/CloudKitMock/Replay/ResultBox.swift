import AsyncOperations

/// What a body has given or thrown, for one who could only hand it a body that gives nothing.
final class ResultBox<Value: Sendable>: Sendable {
    private let slot = Locked<Result<Value, any Error>?>(nil)

    func set(_ body: () async throws -> Value) async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        slot.withLock { $0 = result }
    }

    /// - Throws: What the body threw, or ``MockCloudError`` when it was never run.
    func get() throws -> Value {
        guard let result = slot.withLock({ $0 }) else {
            throw MockCloudError("the test library did not run the body")
        }
        return try result.get()
    }
}
