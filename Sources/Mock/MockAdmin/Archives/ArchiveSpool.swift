import FileSystem
import MockStore

/// An archive on its way into a store, in a file without a name.
///
/// Unchecked: written by one thread, and read by another when all is written.
final class ArchiveSpool: @unchecked Sendable {
    private let file: ByteFile

    init() throws(FileError) { file = try ByteFile(temporaryIn: Files.temporaryFolder) }

    func write(_ bytes: [UInt8]) -> FileError? {
        do throws(FileError) {
            try file.write(bytes)
            return nil
        } catch {
            return error
        }
    }

    func read(_ count: Int, at place: Int) throws(FileError) -> [UInt8]? {
        try file.read(upTo: count, at: place)
    }
}

extension ArchiveLines {
    /// The lines of an archive that is whole.
    convenience init(of spool: ArchiveSpool) {
        var place = 0
        self.init { () throws(FileError) in
            let piece = try spool.read(ArchiveLines.pieceBytes, at: place)
            place += piece?.count ?? 0
            return piece
        }
    }
}
