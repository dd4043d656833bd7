import AsyncOperations
import Dispatch
import SQLite

/// Copies a store's log into its file on a thread of its own, so that no request waits for it.
final class Checkpointer {
    /// New pages in the log that are worth a copy.
    private static let pagesWanted = 1000
    /// Pages in the log after which the loop itself copies the last of them, so that the log
    /// begins anew: while somebody writes, a copy beside the loop never catches up.
    private static let pagesMax = 4_000

    private let bell: Bell
    private var pagesAtLastRing = 0
    private let thread: DedicatedThread

    /// Starts the thread; nil for a store in memory.
    convenience init?(_ location: MockStore.Location) throws(MockStoreError) {
        guard case .directory(let path) = location else { return nil }
        self.init(path: path + "/store.sqlite")
    }

    private init(path: String) {
        let bell = Bell()
        self.bell = bell
        thread = DedicatedThread(label: "checkpoints") {
            // Without a connection the log only grows, until the loop copies it.
            guard let connection = try? Connection(.file(path)),
                (try? connection.useWriteAheadLog(.full, checkpointPages: 0)) != nil
            else { return }
            while bell.wait() { _ = try? connection.checkpoint(.passive) }
        }
    }

    deinit {
        bell.stop()
        thread.join()
    }

    /// Is told the length of the log after each commit.
    func committed(logPages: Int, _ tables: StoreTables) {
        if logPages < pagesAtLastRing { pagesAtLastRing = 0 }
        if logPages > Self.pagesMax, logPages > pagesAtLastRing {
            pagesAtLastRing = logPages
            _ = try? tables.connection.checkpoint(.restart)
        } else if logPages - pagesAtLastRing > Self.pagesWanted {
            pagesAtLastRing = logPages
            bell.ring()
        }
    }

    /// Wakes the thread; rings that come while it is at work count as one.
    private final class Bell: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let state = Locked((isRung: false, isStopped: false))

        func ring() {
            let isNew = state.withLock { state in
                defer { state.isRung = true }
                return !state.isRung
            }
            if isNew { semaphore.signal() }
        }

        func stop() {
            state.withLock { $0.isStopped = true }
            semaphore.signal()
        }

        /// Waits for the next ring; false when it is over.
        func wait() -> Bool {
            semaphore.wait()
            return state.withLock { state in
                state.isRung = false
                return !state.isStopped
            }
        }
    }
}
