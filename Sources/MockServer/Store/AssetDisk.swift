import AsyncOperations
import Dispatch
import FileSystem

/// Writes and removes the files of assets on a thread of its own, one after the other, so that no request
/// waits for the disk.
final class AssetDisk: Sendable {
    let folder: AssetFolder
    private let jobs: Mailbox<@Sendable (inout Placed) -> Void>
    private let thread: DedicatedThread
    private let drafts = Locked(0)

    /// How many files of a digest were put in their place that no row may tell of yet.
    struct Placed {
        fileprivate var counts: [AssetDigest: Int] = [:]
    }

    /// Why an upload could not be ended.
    struct Failure: Error {
        let reason: FileError
        /// The file is in its place nevertheless, or one like it: to be settled.
        var placed: AssetDigest?
    }

    init(_ folder: AssetFolder) {
        self.folder = folder
        let jobs = Mailbox<@Sendable (inout Placed) -> Void>()
        self.jobs = jobs
        thread = DedicatedThread(label: "assets") {
            var placed = Placed()
            while let job = jobs.next() { job(&placed) }
        }
        if !folder.isDurable { jobs.post { _ in AssetFolder.removeAbandoned() } }
    }

    deinit {
        jobs.close()
        // The last owner may be a job.
        if !thread.isCurrent { thread.join() }
    }

    /// A new upload.
    func begin() -> AssetDraft {
        let number = drafts.withLock { count in
            count += 1
            return count
        }
        return AssetDraft(number, in: folder)
    }

    /// Adds to an upload, and says so when it is done.
    func write(
        _ bytes: [UInt8], to draft: AssetDraft, _ done: @escaping @Sendable (FileError?) -> Void
    ) {
        jobs.post { _ in
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
    func finish(
        _ draft: AssetDraft, _ done: @escaping @Sendable (Result<AssetFile, Failure>) -> Void
    ) {
        jobs.post { placed in
            let result = Result { () throws(Failure) in try draft.finish() }
            let digest =
                switch result {
                case .success(let file): file.digest as AssetDigest?
                case .failure(let failure): failure.placed
                }
            if let digest { placed.counts[digest, default: 0] += 1 }
            done(result)
        }
    }

    /// Forgets an upload that will not be whole, and says so when nothing is left of it.
    func drop(_ draft: AssetDraft, _ done: @escaping @Sendable () -> Void) {
        jobs.post { _ in
            draft.drop()
            done()
        }
    }

    /// Takes note that it is decided what becomes of a file that was put in its place.
    ///
    /// - Parameter isKnown: Whether a row tells of it; otherwise it is removed.
    func settle(_ digest: AssetDigest, isKnown: Bool) {
        jobs.post { placed in
            let left = (placed.counts[digest] ?? 1) - 1
            placed.counts[digest] = left > 0 ? left : nil
        }
        if !isKnown { remove(digest) }
    }

    /// Removes the file of an asset that no row tells of, unless it is just being put there again.
    func remove(_ digest: AssetDigest) {
        let folder = folder
        jobs.post { placed in
            if placed.counts[digest] == nil { folder.remove(folder.file(digest)) }
        }
    }

    /// Writes a whole file, and waits for it: where nobody else is served.
    func store(_ bytes: [UInt8]) throws(Failure) -> AssetFile {
        let draft = begin()
        let end = DispatchSemaphore(value: 0)
        let result = Locked<Result<AssetFile, Failure>?>(nil)
        write(bytes, to: draft) { _ in }
        finish(draft) { made in
            result.withLock { $0 = made }
            end.signal()
        }
        end.wait()
        guard let made = result.withLock({ $0 }) else {
            preconditionFailure("the disk's thread answered nothing")
        }
        return try made.get()
    }

    /// Returns when all that was asked for is done.
    func wait() {
        guard !thread.isCurrent else { return }
        let end = DispatchSemaphore(value: 0)
        jobs.post { _ in end.signal() }
        end.wait()
    }
}
