private import AsyncOperations
package import DeletionPlanning
private import FoundationEssentials
import Journal

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
        return try reader.finish()
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes a folder that only its owner can look into.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// A file, piece by piece.
    struct Pieces: ~Copyable {
        private let file: ByteFile
        private let path: String

        init(_ path: String) throws(PlanFileError) {
            do throws(ByteFile.Failure) {
                file = try ByteFile(reading: path)
            } catch {
                throw Self.unreadable(path)
            }
            self.path = path
        }

        /// The next piece; nil at the end.
        func next() throws(PlanFileError) -> [UInt8]? {
            do throws(ByteFile.Failure) {
                return try file.read(upTo: 1 << 18)
            } catch {
                throw Self.unreadable(path)
            }
        }

        private static func unreadable(_ path: String) -> PlanFileError {
            PlanFileError(line: 0, reason: "the plan file \(path) cannot be read")
        }
    }
}

/// A file that appears whole or not at all, readable by its owner only.
///
/// Whoever lets go of it before ``finish()`` has succeeded leaves nothing behind.
struct WholeFile: ~Copyable {
    private let path: String
    private let draft: String
    private let file: ByteFile
    private var buffer: [UInt8] = []

    /// Begins a file that is to stand at `path`.
    init(_ path: String, nonce: String) throws {
        self.path = path
        draft = "\(path).\(nonce).part"
        file = try ByteFile(creating: draft)
    }

    // Once the draft is in its place, nothing has its old name.
    deinit { try? FileManager.default.removeItem(atPath: draft) }

    mutating func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        guard buffer.count >= 1 << 18 else { return }
        try flush()
    }

    /// Puts the file in its place, on disk.
    consuming func finish() throws {
        try flush()
        try file.synchronize()
        try Journal.moveIntoPlace(draft, path)
    }

    private mutating func flush() throws {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
