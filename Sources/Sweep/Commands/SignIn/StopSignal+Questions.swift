import CloudCourier

extension StopSignal {
    /// What `body` gives; nil at once when somebody asks to stop: whoever interrupts does not answer.
    func unlessAsked<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let (answers, continuation) = AsyncStream.makeStream(of: Value?.self)
        let asking = Task {
            continuation.yield(await body())
            continuation.finish()
        }
        let listener = onStop {
            asking.cancel()
            continuation.yield(nil)
            continuation.finish()
        }
        defer { forget(listener) }
        for await answer in answers { return answer }
        return nil
    }
}
