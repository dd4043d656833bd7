private import AsyncOperations
private import CShims
private import Glibc
private import Synchronization

/// How other threads and signal handlers reach the loop: a descriptor that becomes readable, what
/// is to be run, and the wish to stop.
final class Wakeup: Sendable {
    let descriptor: Int32
    private let bodies = Locked<[@Sendable (HTTPLoop) -> Void]>([])
    /// Nanoseconds to drain for; negative while nobody wants to stop.
    private let drain = Atomic<Int64>(-1)

    /// nil when the system has no descriptor left.
    init?() {
        let made = cksweep_eventfd()
        guard made >= 0 else { return nil }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Safe in signal handlers: an atomic store and a system call.
    func stop(drainNanoseconds: Int64) {
        drain.store(max(0, drainNanoseconds), ordering: .sequentiallyConsistent)
        ring()
    }

    func post(_ body: @escaping @Sendable (HTTPLoop) -> Void) {
        let isFirst = bodies.withLock { bodies in
            bodies.append(body)
            return bodies.count == 1
        }
        if isFirst { ring() }
    }

    /// The wish to stop that came last, which is forgotten.
    func takeDrain() -> Int64? {
        let wish = drain.exchange(-1, ordering: .sequentiallyConsistent)
        return wish >= 0 ? wish : nil
    }

    /// What is to be run. Silences the descriptor first, so that nothing posted later is missed.
    func takeBodies() -> [@Sendable (HTTPLoop) -> Void] {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
        return bodies.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
    }

    private func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }
}
