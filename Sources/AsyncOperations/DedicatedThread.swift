private import CShims
private import Glibc

/// A thread of our own, for C that blocks: the shared pool has one thread per core.
///
/// The body must end before the last owner lets go, or be one that ends by itself: a thread that
/// was not joined is detached and runs on.
package final class DedicatedThread: Sendable {
    private let handle: pthread_t
    private let joined = Locked(false)

    /// Starts `body` on a new thread.
    package init(label: String, _ body: @escaping @Sendable () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(label: label, body: body))
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle, nil,
            { raw in
                guard let raw = unsafe raw else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                unsafe cksweep_name_this_thread(start.label)
                start.body()
                return nil
            }, start.toOpaque())
        precondition(code == 0, "no thread could be started: error \(code)")
        self.handle = handle
    }

    deinit {
        if !joined.withLock({ $0 }) { pthread_detach(handle) }
    }

    /// Whether the caller is on this thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Waits until the body has ended; returns at once when somebody joined before.
    package func join() {
        precondition(!isCurrent, "a thread cannot wait for itself")
        let mine = joined.withLock { joined in
            defer { joined = true }
            return !joined
        }
        if mine { pthread_join(handle, nil) }
    }

    /// What the new thread is given.
    private final class Start: Sendable {
        let label: String
        let body: @Sendable () -> Void
        init(label: String, body: @escaping @Sendable () -> Void) {
            self.label = label
            self.body = body
        }
    }
}
