import Basics
import FileSystem
import OpenSSL

/// Reads files of an export again, in pieces.
enum FileScan {
    static let pieceBytes = 1 << 18

    /// How large a file is and what it is; nil when there is none.
    ///
    /// - Throws: Also when it is a link or no file: nothing outside the folder is read.
    static func digest(of path: String, in files: Files) throws(ExportError) -> FileDigest? {
        guard !files.isLink(path) else {
            throw ExportError(.damaged, "a symbolic link is in place of a file")
        }
        guard files.facts(path) != nil else { return nil }
        return try exporting { () throws(FileError) in
            let file = try ByteFile(reading: path)
            var digest = SHA256()
            var count: Int64 = 0
            while let piece = try file.read(upTo: pieceBytes) {
                digest.update(piece)
                count += Int64(piece.count)
            }
            return FileDigest(bytes: count, sha256: Hexadecimal.encode(digest.finish()))
        }
    }
}
