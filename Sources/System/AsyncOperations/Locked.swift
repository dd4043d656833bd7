#if THREAD_SANITIZER
    private import Glibc

    /// A value that one thread at a time may touch.
    ///
    /// `Mutex` waits on a futex, which ThreadSanitizer does not see and reports as a race; this
    /// is the same type over a pthread lock, for builds with `-DTHREAD_SANITIZER`.
    ///
    /// Unchecked: `value` is read and written only while `lock` is held.
    @safe package final class Locked<Value>: @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private var value: Value

        package init(_ value: sending Value) {
            self.value = value
            unsafe lock = .allocate(capacity: 1)
            unsafe lock.initialize(to: pthread_mutex_t())
            let code = unsafe pthread_mutex_init(lock, nil)
            precondition(code == 0, "no lock could be made")
        }
        deinit {
            unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }

        /// Runs `body` with the value to itself; `body` must not wait.
        package func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            unsafe pthread_mutex_lock(lock)
            defer { unsafe pthread_mutex_unlock(lock) }
            return try body(&value)
        }
    }
#else
    package import Synchronization

    /// A value that one thread at a time may touch.
    package final class Locked<Value>: Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable package init(_ value: sending Value) { mutex = Mutex(value) }

        /// Runs `body` with the value to itself; `body` must not wait.
        @inlinable package func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    }
#endif
