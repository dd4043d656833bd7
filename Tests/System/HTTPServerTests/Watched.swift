import AsyncOperations
import Dispatch

/// A value that one thread of a test changes while another waits for it, but not for ever.
final class Watched<Value: Sendable>: Sendable {
    private let value: Locked<Value>
    private let changes = DispatchSemaphore(value: 0)

    /// How long a wait may take on a busy machine; what takes longer hangs.
    private static var secondsMax: Double { 60 }

    init(_ value: Value) { self.value = Locked(value) }

    /// Reads or changes the value, and wakes who waits for it.
    func withLock<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result {
        defer { changes.signal() }
        return value.withLock(body)
    }

    /// Waits until the value is as asked for; false when it does not become so in time.
    func wait(until isReached: (Value) -> Bool) -> Bool {
        let end = DispatchTime.now() + Self.secondsMax
        while !value.withLock({ isReached($0) }) {
            guard changes.wait(timeout: end) == .success else { return false }
        }
        return true
    }
}
