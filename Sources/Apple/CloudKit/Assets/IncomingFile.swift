import AsyncOperations
import CloudModel
import FileSystem

/// The file of an asset that is being fetched.
///
/// Whoever brings the bytes may keep this for longer than the fetch takes: it has the file no longer
/// once that has ended.
final class IncomingFile: Sendable {
    /// Touched under the lock only.
    private final class Writing {
        let file: ByteFile
        var digest: AssetDigest? = AssetDigest()
        var failure: FileError?
        /// nil: the fetch has ended.
        var staged: StagedFile?

        init(_ staged: StagedFile) throws(FileError) {
            file = try ByteFile(creating: staged.path)
            self.staged = staged
        }
    }
    private let writing: Locked<Writing>

    init(in folder: StagingFolder) throws(FileError) {
        writing = Locked(try Writing(StagedFile(try folder.makePath(), in: folder)))
    }

    /// Takes the next piece; false when the disk does not.
    func take(_ piece: [UInt8]) -> Bool {
        writing.withLock { writing in
            do throws(FileError) {
                writing.digest?.update(piece)
                try writing.file.write(piece)
                return true
            } catch {
                writing.failure = error
                return false
            }
        }
    }

    /// Why the disk takes no more; nil: it does.
    var failure: FileError? { writing.withLock { $0.failure } }

    /// The file, once it is whole.
    ///
    /// - Throws: `assetNotAvailable` when it is not what the service says of `asset`.
    func end(as asset: Asset, isApple: Bool) throws(CKError) -> StagedFile {
        let isWhole = writing.withLock { writing in
            guard let digest = writing.digest.take() else { return false }
            return digest.isDigest(of: asset, isApple: isApple)
        }
        guard let staged = letGo(), isWhole else {
            throw CKError(
                .assetNotAvailable,
                "a downloaded asset does not have the size or checksum of its record")
        }
        return staged
    }

    /// Gives the file away; it is removed when nobody takes it.
    @discardableResult
    func letGo() -> StagedFile? { writing.withLock { $0.staged.take() } }
}
