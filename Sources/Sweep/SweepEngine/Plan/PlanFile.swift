package import DeletionPlanning
import FileSystem

/// Plan files on disk.
package enum PlanFile {
    /// Reads a whole plan file, handing on line by line.
    ///
    /// - Returns: what the plan says of itself, after all of it was checked.
    package static func read(
        _ path: String, _ visit: (PlanLine) throws(PlanFileError) -> Void
    ) throws(PlanFileError) -> PlanFacts {
        let reader = PlanReader()
        let pieces = try Pieces(path)
        while let piece = try pieces.next() {
            for line in try reader.feed(piece) { try visit(line) }
        }
        return try reader.finish().facts
    }

    /// A file, piece by piece.
    struct Pieces: ~Copyable {
        private let file: ByteFile

        init(_ path: String) throws(PlanFileError) {
            do throws(FileError) {
                file = try ByteFile(reading: path, named: "the plan file \(path)")
            } catch {
                throw PlanFileError(line: 0, reason: error.description)
            }
        }

        /// The next piece; nil at the end.
        func next() throws(PlanFileError) -> [UInt8]? {
            do throws(FileError) {
                return try file.read(upTo: 1 << 18)
            } catch {
                throw PlanFileError(line: 0, reason: error.description)
            }
        }
    }
}
