import FileSystem
import OpenSSL

/// An upload on its way to the disk: its bytes are written and hashed as they come.
///
/// Unchecked: made anywhere, and from then on used on one thread: that of the ``AssetDisk``, or whichever
/// stores a whole file.
package final class AssetDraft: @unchecked Sendable {
    private let folder: AssetFolder
    private let part: String
    private var file: ByteFile?
    private var hash: SHA256? = SHA256()
    private var size: Int64 = 0
    private var failure: FileError?

    init(_ number: Int, in folder: AssetFolder) {
        self.folder = folder
        part = folder.part(number)
    }

    /// Adds to the file. What fails is told again by ``finish()``.
    func write(_ bytes: [UInt8]) throws(FileError) {
        if let failure { throw failure }
        do throws(FileError) {
            if file == nil { file = try ByteFile(creating: part) }
            try file?.write(bytes)
        } catch {
            failure = error
            drop()
            throw error
        }
        hash?.update(bytes)
        size += Int64(bytes.count)
    }

    /// Puts the file in its place; it is whole and, where that was promised, on disk.
    ///
    /// - Parameter willPlace: Called before that with what the file is named by. It is to be settled from then
    ///   on, whether it comes to its place or not.
    func finish(
        _ willPlace: (AssetDigest) -> Void
    ) throws(AssetDisk.Failure) -> AssetFile {
        let digest: AssetDigest
        do throws(FileError) {
            try write([])
            guard let sha256 = hash.take()?.finish() else { throw FileError(part, "was dropped") }
            digest = AssetDigest(sha256: sha256)
            if folder.isDurable { try file?.synchronize() }
            file = nil
        } catch {
            drop()
            throw AssetDisk.Failure(reason: error)
        }
        willPlace(digest)
        do throws(FileError) {
            try folder.place(part, as: digest)
            try folder.synchronize()
        } catch {
            drop()
            throw AssetDisk.Failure(reason: error, placed: digest)
        }
        return AssetFile(digest: digest, size: size)
    }

    /// Leaves nothing behind.
    func drop() {
        hash = nil
        file = nil
        folder.remove(part)
    }
}

/// A file of an asset that is in its place.
package struct AssetFile: Sendable, Hashable {
    package let digest: AssetDigest
    package let size: Int64
}
