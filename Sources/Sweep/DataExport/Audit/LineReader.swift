import Basics
import FileSystem
import OpenSSL

/// Reads a file line by line and hashes it on the way.
final class LineReader {
    /// A record has 1 MiB of values, and JSON may need six bytes for one.
    static let lineBytesMax = 16 << 20

    private let file: ByteFile
    private var digest: SHA256? = SHA256()
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var count: Int64 = 0

    init(_ path: String, in files: Files) throws(ExportError) {
        guard !files.isLink(path) else {
            throw ExportError(.damaged, "a symbolic link is in place of a file")
        }
        do throws(FileError) {
            file = try ByteFile(reading: path)
        } catch {
            throw ExportError(error)
        }
    }

    /// The next line without its end; nil after the last.
    ///
    /// - Throws: Also when the last line has no end, so that it may be cut.
    func next() throws(ExportError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            guard !isAtEnd else {
                guard start == buffer.count else {
                    throw ExportError(.damaged, "a file ends in the middle of a line")
                }
                return nil
            }
            guard buffer.count - start <= Self.lineBytesMax else {
                throw ExportError(
                    .damaged, "a line is longer than \(Self.lineBytesMax) bytes")
            }
            buffer.removeFirst(start)
            searched = buffer.count
            start = 0
            try fill()
        }
    }

    private func fill() throws(ExportError) {
        let piece = try exporting { () throws(FileError) in
            try file.read(upTo: FileScan.pieceBytes)
        }
        guard let piece else {
            isAtEnd = true
            return
        }
        digest?.update(piece)
        count += Int64(piece.count)
        buffer += piece
    }

    /// What was read, once ``next()`` has said that there is no more.
    ///
    /// - Precondition: It is asked once.
    func end() -> FileDigest {
        precondition(isAtEnd, "not read to its end")
        guard let digest = digest.take() else { preconditionFailure("asked twice") }
        return FileDigest(bytes: count, sha256: Hexadecimal.encode(digest.finish()))
    }
}
