import Basics
import FileSystem
import OpenSSL

/// A file that is written and hashed piece by piece. It bears a name of its own until it is kept;
/// what is let go of before leaves nothing behind.
final class DigestingFile {
    private let files: Files
    private let draft: String
    private let file: ByteFile
    private var digest: SHA256? = SHA256()
    private(set) var count: Int64 = 0
    private var buffer: [UInt8] = []
    /// Small pieces are gathered up to this.
    private static let bufferBytesMax = 1 << 18
    /// How much of it the disk has been told to begin with.
    private var begun: Int64 = 0
    /// In steps of so many bytes, so that the end need not wait for the whole of a large file.
    private static let begunBytes: Int64 = 1 << 23

    /// - Parameter draft: Its name until then, absolute.
    init(_ draft: String, in files: Files) throws(FileError) {
        self.files = files
        self.draft = draft
        files.remove(draft)
        file = try ByteFile(creating: draft)
    }

    // Once it is in its place, nothing has its old name.
    deinit { files.remove(draft) }

    /// Adds to the file.
    func write(_ bytes: [UInt8]) throws(FileError) {
        count += Int64(bytes.count)
        digest?.update(bytes)
        if buffer.isEmpty, bytes.count >= Self.bufferBytesMax {
            try file.write(bytes)
        } else {
            buffer += bytes
            if buffer.count >= Self.bufferBytesMax { try flush() }
        }
        let written = count - Int64(buffer.count)
        guard written - begun >= Self.begunBytes else { return }
        file.beginSynchronizing(from: begun, count: written - begun)
        begun = written
    }

    private func flush() throws(FileError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the file, which is on disk then.
    ///
    /// - Precondition: It was not ended before.
    func end() throws(FileError) -> FileDigest {
        guard let digest = digest.take() else { preconditionFailure("ended twice") }
        try flush()
        try file.synchronize()
        return FileDigest(bytes: count, sha256: Hexadecimal.encode(digest.finish()))
    }

    /// Gives the ended file its name, whatever has it now.
    func keep(as path: String) throws(FileError) { try files.move(draft, to: path) }
}
