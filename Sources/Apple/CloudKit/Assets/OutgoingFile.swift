import AsyncOperations
import CloudModel
import FileSystem

/// The file of an asset while its bytes are sent.
final class OutgoingFile: Sendable {
    /// Touched under the lock only.
    private final class Reading {
        let file: ByteFile
        var digest: AssetDigest? = AssetDigest()
        var failure: CKError?

        init(_ path: String) throws(FileError) { file = try ByteFile(reading: path) }
    }
    private let reading: Locked<Reading>
    private let path: String
    private let stamp: FileStamp

    /// - Parameter stamp: What the file was when the save began.
    /// - Throws: `assetFileNotFound`, or `assetFileModified` when it has another stamp by now.
    init(_ path: String, _ stamp: FileStamp) throws(CKError) {
        self.path = path
        self.stamp = stamp
        do throws(FileError) {
            reading = Locked(try Reading(path))
        } catch {
            throw CKError(.assetFileNotFound, "the file of an asset \(error.reason)")
        }
        try checkUnchanged()
    }

    /// The stamp of a file.
    ///
    /// - Throws: `assetFileNotFound`.
    static func stamp(of path: String) throws(CKError) -> FileStamp {
        do throws(FileError) {
            return try ByteFile(reading: path).stamp()
        } catch {
            throw CKError(.assetFileNotFound, "the file of an asset \(error.reason)")
        }
    }

    /// The next piece, of at most so many bytes; nil when it cannot be had.
    func give(_ count: Int) -> [UInt8]? {
        reading.withLock { reading in
            do throws(FileError) {
                guard let piece = try reading.file.read(upTo: count) else {
                    reading.failure = Self.modified
                    return nil
                }
                reading.digest?.update(piece)
                return piece
            } catch {
                reading.failure = CKError(
                    .assetFileNotFound, "the file of an asset \(error.reason)")
                return nil
            }
        }
    }

    /// Why ``give(_:)`` gave nothing.
    var failure: CKError? { reading.withLock { $0.failure } }

    /// Holds what was sent against the file and against what the service says that it has.
    func check(_ asset: Asset, isApple: Bool) throws(CKError) {
        try checkUnchanged()
        let isSame = reading.withLock { reading in
            guard let digest = reading.digest.take() else { return false }
            return digest.isDigest(of: asset, isApple: isApple)
        }
        guard isSame else {
            throw CKError(
                .assetNotAvailable, "the server stored other bytes of an asset than were sent")
        }
    }

    /// By its path: another file may have been put in its place.
    private func checkUnchanged() throws(CKError) {
        guard try Self.stamp(of: path) == stamp else { throw Self.modified }
    }

    private static let modified = CKError(
        .assetFileModified, "the file of an asset was changed while it was being saved")
}
