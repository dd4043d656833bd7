import FileSystem
import HTTPServer

/// Sends a file or a part of it, piece by piece.
final class AssetSource: HTTPBodySource {
    private static let pieceBytes = 64 << 10

    private let file: ByteFile
    private var left = 0..<0
    private(set) var length: Int? = 0

    init(_ file: consuming ByteFile) { self.file = file }

    /// This, to send a part of the file alone.
    func part(_ range: Range<Int>) -> AssetSource {
        (left, length) = (range, range.count)
        return self
    }

    func next() throws -> HTTPBodyPiece {
        // If the file is shorter than it was, the answer is cut, as its length was told.
        guard !left.isEmpty,
            let piece = try file.read(
                upTo: min(Self.pieceBytes, left.count), at: left.lowerBound)
        else { return .end }
        left.removeFirst(piece.count)
        return .bytes(piece)
    }
}
