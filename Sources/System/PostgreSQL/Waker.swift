private import AsyncOperations
private import CShims
private import Glibc

/// Wakes the connection's thread when the caller it works for is cancelled.
@safe final class Waker: Sendable {
    /// Whether one caller's task was cancelled.
    final class Call: Sendable {
        private let flag = Locked(false)
        var isCancelled: Bool { flag.withLock { $0 } }
        fileprivate func cancel() { flag.withLock { $0 = true } }
    }

    /// Readable after somebody was cancelled.
    let descriptor: Int32

    init() {
        descriptor = cksweep_eventfd()
        precondition(descriptor >= 0, "cannot create an event descriptor")
    }

    deinit { close(descriptor) }

    func cancel(_ call: Call) {
        call.cancel()
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Makes it unreadable again.
    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }
}
