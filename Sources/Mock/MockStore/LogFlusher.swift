import AsyncOperations
import Dispatch
package import FileSystem

/// Waits for the disk on a thread of its own, so that the loop writes its answers down meanwhile.
///
/// SQLite has written a commit to its log when `COMMIT` returns; what is left is to wait until the
/// disk has it. Used by one thread.
package final class LogFlusher {
    /// Waits until the disk has all of the log.
    package typealias Flush = @Sendable () throws(FileError) -> Void

    private let state: State
    private let thread: DedicatedThread
    /// Whether a wait has begun that nobody has ended.
    private var isPending = false

    /// Opens the log of a store, which must be there.
    convenience init(logOf path: String) throws(FileError) {
        let log = Log(try ByteFile(reading: path + "-wal"))
        self.init { () throws(FileError) in try log.file.synchronizeData() }
    }

    /// Waits by `flush`, which is called on the flusher's own thread.
    package init(_ flush: @escaping Flush) {
        let state = State()
        self.state = state
        thread = DedicatedThread(label: "log") {
            while true {
                state.wanted.wait()
                guard !state.isStopped.withLock({ $0 }) else { return }
                do throws(FileError) {
                    try flush()
                } catch {
                    state.failure.withLock { $0 = $0 ?? error }
                }
                state.done.signal()
            }
        }
    }

    deinit {
        finish()
        state.isStopped.withLock { $0 = true }
        state.wanted.signal()
        thread.join()
    }

    /// Why the disk did not take a commit, once that has happened. What was written since the last
    /// commit that it took may be there or not, and the system forgets to say so again.
    package var failure: FileError? { state.failure.withLock { $0 } }

    /// Begins to wait for what is in the log now.
    package func begin() {
        finish()
        isPending = true
        state.wanted.signal()
    }

    /// Returns when all that was in the log at ``begin()`` is on disk, or ``failure`` says why not.
    package func finish() {
        guard isPending else { return }
        state.done.wait()
        isPending = false
    }

    private final class State: Sendable {
        let wanted = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let isStopped = Locked(false)
        let failure = Locked<FileError?>(nil)
    }

    private final class Log: Sendable {
        let file: ByteFile
        init(_ file: consuming ByteFile) { self.file = file }
    }
}
