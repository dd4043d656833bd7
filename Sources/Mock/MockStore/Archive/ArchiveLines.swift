package import FileSystem

/// The lines of an archive, of which a piece at a time is kept.
package final class ArchiveLines {
    /// Bytes that are read at once.
    package static let pieceBytes = 256 << 10

    private let read: () throws(FileError) -> [UInt8]?
    private var piece: [UInt8] = []
    private var place = 0
    private var number = 0

    /// - Parameter read: The next piece; nil at the end.
    package init(_ read: @escaping () throws(FileError) -> [UInt8]?) { self.read = read }

    /// The lines of a file, from its beginning.
    package convenience init(of file: consuming ByteFile) {
        let file = ArchiveFile(file)
        self.init { () throws(FileError) in try file.next(Self.pieceBytes) }
    }

    /// The lines of what is in memory already.
    package convenience init(of bytes: [UInt8]) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        self.init { () throws(FileError) in rest.take() }
    }

    /// The next line without its line feed; nil at the end.
    func next() throws(MockStoreError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if let end = piece[place...].firstIndex(of: 0x0A) {
                line += piece[place..<end]
                place = end + 1
                number += 1
                return line
            }
            line += piece[place...]
            guard line.count <= ArchiveFormat.lineBytesMax else {
                throw refusal("is longer than \(ArchiveFormat.lineBytesMax) bytes", line)
            }
            place = 0
            piece = []
            guard let next = try nextPiece() else {
                guard line.isEmpty else {
                    throw refusal("expected the rest of the line: the archive is truncated", line)
                }
                return nil
            }
            piece = next
        }
    }

    private func nextPiece() throws(MockStoreError) -> [UInt8]? {
        do throws(FileError) {
            return try read()
        } catch {
            throw MockStoreError(.failed, error.description)
        }
    }

    private func refusal(_ reason: String, _ line: [UInt8]) -> MockStoreError {
        ArchiveError(
            line: number + 1, column: String(decoding: line, as: UTF8.self).count + 1, reason
        ).storeError
    }
}

/// A file that is read from its beginning.
private final class ArchiveFile {
    private let file: ByteFile
    private var place = 0

    package init(_ file: consuming ByteFile) { self.file = file }

    func next(_ count: Int) throws(FileError) -> [UInt8]? {
        let piece = try file.read(upTo: count, at: place)
        place += piece?.count ?? 0
        return piece
    }
}
