import AsyncOperations
import Dispatch
package import FileSystem

/// Writes and removes the files of assets on a thread of its own, one after the other, so that no request
/// waits for the disk; a whole file is written at once.
package final class AssetDisk: Sendable {
    package let folder: AssetFolder
    private let jobs: Mailbox<@Sendable () -> Void>
    private let thread: DedicatedThread
    private let drafts = Locked(0)

    /// How many files of a digest are put in their place that no row may tell of yet.
    private let unsettled = Locked<[AssetDigest: Int]>([:])

    /// Why an upload could not be ended.
    package struct Failure: Error {
        let reason: FileError
        /// The file may be in its place nevertheless, or one like it: to be settled.
        var placed: AssetDigest?
    }

    init(_ folder: AssetFolder) {
        self.folder = folder
        let jobs = Mailbox<@Sendable () -> Void>()
        self.jobs = jobs
        thread = DedicatedThread(label: "assets") {
            while let job = jobs.next() { job() }
        }
        if !folder.isDurable { jobs.post { AssetFolder.removeAbandoned() } }
    }

    deinit {
        jobs.close()
        // The last owner may be a job.
        if !thread.isCurrent { thread.join() }
    }

    /// A new upload.
    package func begin() -> AssetDraft {
        let number = drafts.withLock { count in
            count += 1
            return count
        }
        return AssetDraft(number, in: folder)
    }

    /// Adds to an upload, and says so when it is done.
    package func write(
        _ bytes: [UInt8], to draft: AssetDraft, _ done: @escaping @Sendable (FileError?) -> Void
    ) {
        jobs.post {
            do throws(FileError) {
                try draft.write(bytes)
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    /// Ends an upload. The file stays until ``settle(_:isKnown:)`` is called for it, whatever is removed
    /// meanwhile.
    package func finish(
        _ draft: AssetDraft, _ done: @escaping @Sendable (Result<AssetFile, Failure>) -> Void
    ) {
        let unsettled = unsettled
        jobs.post {
            done(Result { () throws(Failure) in try Self.place(draft, unsettled) })
        }
    }

    /// Counts a file before it is in its place, so that it is not removed there.
    private static func place(
        _ draft: AssetDraft, _ unsettled: Locked<[AssetDigest: Int]>
    ) throws(Failure) -> AssetFile {
        try draft.finish { digest in unsettled.withLock { $0[digest, default: 0] += 1 } }
    }

    /// Forgets an upload that will not be whole, and says so when nothing is left of it.
    package func drop(_ draft: AssetDraft, _ done: @escaping @Sendable () -> Void) {
        jobs.post {
            draft.drop()
            done()
        }
    }

    /// Takes note that it is decided what becomes of a file that was put in its place.
    ///
    /// - Parameter isKnown: Whether a row tells of it; otherwise it is removed.
    func settle(_ digest: AssetDigest, isKnown: Bool) {
        let unsettled = unsettled
        // In its turn: what is to be removed already was not known then.
        jobs.post {
            unsettled.withLock { counts in
                let left = (counts[digest] ?? 1) - 1
                counts[digest] = left > 0 ? left : nil
            }
        }
        if !isKnown { remove(digest) }
    }

    /// Removes the file of an asset that no row tells of, unless it is just being put there again.
    func remove(_ digest: AssetDigest) {
        let (folder, unsettled) = (folder, unsettled)
        jobs.post {
            // Under the lock, so that nobody puts one there between the look and the removal.
            unsettled.withLock { counts in
                if counts[digest] == nil { folder.remove(folder.file(digest)) }
            }
        }
    }

    /// Writes a whole file, on the thread that asks: it does not wait for the uploads of others. The file stays
    /// until ``settle(_:isKnown:)`` is called for it.
    func store(_ bytes: [UInt8]) throws(Failure) -> AssetFile {
        let draft = begin()
        do throws(FileError) { try draft.write(bytes) } catch { throw Failure(reason: error) }
        return try Self.place(draft, unsettled)
    }

    /// Links files of another folder, on the calling thread. They are not removed before ``settle(_:isKnown:)`` is called for
    /// each.
    func link(_ digests: [AssetDigest], from other: AssetFolder) throws(FileError) {
        unsettled.withLock { counts in
            for digest in digests { counts[digest, default: 0] += 1 }
        }
        for digest in digests where !folder.has(digest) { try folder.link(digest, from: other) }
        try folder.synchronize()
    }

    /// Does something else that waits for the disk, in its turn.
    package func run(_ job: @escaping @Sendable () -> Void) { jobs.post(job) }

    /// Returns when all that was asked for is done.
    func wait() {
        guard !thread.isCurrent else { return }
        let end = DispatchSemaphore(value: 0)
        jobs.post { end.signal() }
        end.wait()
    }
}
