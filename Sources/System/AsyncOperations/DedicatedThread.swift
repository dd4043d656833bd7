private import CShims
private import Glibc

/// A thread of our own, for C that blocks: the shared pool has one thread per core.
///
/// The body must end before the last owner lets go, or be one that ends by itself: a thread that
/// was not joined runs on, and cleans up after itself.
package final class DedicatedThread: Sendable {
    /// Of the thread that was started last.
    private static let lastNumber = Locked<UInt64>(0)

    private let handle: pthread_t
    /// Which thread it is: its handle may be another thread's once it was joined.
    private let number: UInt64
    private let stage: Locked<Stage>

    /// Who cleans up after the thread. Only a thread itself may detach it while it runs: before
    /// version 2.37 glibc reads a thread's memory again after `pthread_detach` has let it end
    /// (its bug 19951).
    private enum Stage {
        case running
        /// The body has ended: the owner joins.
        case ended
        /// The owner has gone: the thread detaches itself at its end.
        case ownerless
        case joined
    }

    /// Starts `body` on a new thread.
    package init(label: String, _ body: @escaping @Sendable () -> Void) {
        let stage = Locked(Stage.running)
        let number = Self.lastNumber.withLock { last in
            last += 1
            return last
        }
        let start = unsafe Unmanaged.passRetained(
            Start(label: label, number: number, body: body, stage: stage))
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle, nil,
            { raw in
                guard let raw = unsafe raw else { return nil }
                let stage = unsafe Unmanaged<Start>.fromOpaque(raw).takeUnretainedValue().stage
                unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().run()
                // What the body held is let go of: nothing of ours runs here any more.
                let isOwnerless = stage.withLock { stage in
                    if stage == .running { stage = .ended }
                    return stage == .ownerless
                }
                if isOwnerless { pthread_detach(pthread_self()) }
                return nil
            }, start.toOpaque())
        precondition(code == 0, "no thread could be started: error \(code)")
        self.handle = handle
        self.number = number
        self.stage = stage
    }

    deinit {
        let hasEnded = stage.withLock { stage in
            if stage == .running { stage = .ownerless }
            return stage == .ended
        }
        if hasEnded { pthread_join(handle, nil) }
    }

    /// Whether the caller is on this thread.
    package var isCurrent: Bool { cksweep_this_thread() == number }

    /// Waits until the body has ended; returns at once when somebody joined before.
    package func join() {
        precondition(!isCurrent, "a thread cannot wait for itself")
        let mine = stage.withLock { stage in
            defer { stage = .joined }
            return stage != .joined
        }
        if mine { pthread_join(handle, nil) }
    }

    /// What the new thread is given.
    private final class Start: Sendable {
        let label: String
        let number: UInt64
        let body: @Sendable () -> Void
        let stage: Locked<Stage>
        init(
            label: String, number: UInt64, body: @escaping @Sendable () -> Void,
            stage: Locked<Stage>
        ) {
            self.label = label
            self.number = number
            self.body = body
            self.stage = stage
        }

        func run() {
            unsafe cksweep_name_this_thread(label)
            cksweep_number_this_thread(number)
            body()
        }
    }
}
