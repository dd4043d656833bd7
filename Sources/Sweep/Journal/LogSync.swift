import AsyncOperations
import FileSystem

/// Waits until the disk has the write-ahead log, on a thread of its own, so that the journal goes
/// on meanwhile. Those who wait together wait once.
actor LogSync {
    private let executor = ThreadExecutor(label: "journal log")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    private let log: Log
    /// Commits in the log.
    private nonisolated let written = Locked(0)
    /// Commits that the disk has.
    private var synced = 0
    private var failure: FileError?

    /// - Parameters:
    ///   - path: The log, which must be there.
    ///   - folder: Where it is: that its name is on disk is waited for once.
    init(_ path: String, in folder: String) throws(JournalError) {
        do throws(FileError) {
            log = Log(try ByteFile(reading: path, named: "the log"))
            try ByteFile.synchronize(folder: folder)
        } catch {
            throw JournalError(.inputOutput, error.description)
        }
    }

    /// Notes a commit, and gives its number.
    nonisolated func noteCommit() -> Int {
        written.withLock { written in
            written += 1
            return written
        }
    }

    /// Returns when the disk has the commit.
    ///
    /// After one failure it is never waited for again: the system forgets to say so twice.
    func wait(for commit: Int) throws(JournalError) {
        if synced >= commit { return }
        let target = written.withLock { $0 }
        do throws(FileError) {
            if let failure { throw failure }
            try log.file.synchronizeData()
        } catch {
            failure = error
            throw JournalError(.inputOutput, "the disk did not accept the data: \(error)")
        }
        synced = target
    }

    private final class Log: Sendable {
        let file: ByteFile
        init(_ file: consuming ByteFile) { self.file = file }
    }
}
