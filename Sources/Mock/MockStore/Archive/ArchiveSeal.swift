import Basics
import OpenSSL

/// The last line of an archive, which tells whether the others are all there.
package enum ArchiveSeal {
    /// What keeps an archive from being whole, in words; nil when it is.
    package static func problem(with archive: [UInt8]) -> String? {
        guard archive.last == 0x0A else { return "it ends in the middle of a line" }
        let rest = archive.dropLast()
        guard let end = rest.lastIndex(of: 0x0A) else { return "it has one line" }
        return archive == sealed(Array(archive[...end]))
            ? nil : "its last line belongs to other lines"
    }

    /// Lines with the last one that they need.
    package static func sealed(_ lines: [UInt8]) -> [UInt8] {
        let sha256 = Hexadecimal.encode(SHA256.hash(lines))
        return lines
            + ArchiveWriter.end(lines: Int64(lines.count { $0 == 0x0A }), sha256: sha256)
    }
}
