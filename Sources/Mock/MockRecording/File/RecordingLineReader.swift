import FileSystem
import JSON

/// Reads a recording line by line, from any place of it.
struct RecordingLineReader {
    private let path: String
    private let chunkBytes: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the next line begins.
    private(set) var place: Int
    /// Of the line that was read last, counted from the first that was.
    private var number = 0

    /// - Parameters:
    ///   - path: What messages call the file.
    ///   - chunkBytes: How much is read at a time.
    init(_ path: String, at place: Int = 0, chunkBytes: Int = 64 << 10) {
        self.path = path
        self.place = place
        self.chunkBytes = chunkBytes
    }

    /// The next line without its end, and where it begins; nil at the end of the file. What follows the last
    /// line end is no line: whoever wrote it was killed.
    mutating func next(
        _ file: borrowing ByteFile
    ) throws(RecordingError) -> (bytes: [UInt8], place: Int)? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                let line = Array(buffer[start..<end])
                defer { place += line.count + 1 }
                start = end + 1
                number += 1
                return (line, place)
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            guard buffer.count <= RecordingLimits.lineBytesMax else {
                throw error("the line is too long")
            }
            let chunk: [UInt8]?
            do throws(FileError) {
                // A long line is read in larger parts, so that it is not moved too often.
                chunk = try file.read(
                    upTo: max(chunkBytes, buffer.count), at: place + buffer.count)
            } catch {
                throw RecordingError(.file, error.description)
            }
            guard let chunk else { return nil }
            buffer += chunk
        }
    }

    func json(_ line: [UInt8]) throws(RecordingError) -> JSONValue {
        do throws(JSONError) {
            return try JSONDocument.parse(
                line, limits: JSONLimits(bytesMax: RecordingLimits.lineBytesMax, depthMax: 8)
            ).root
        } catch {
            throw self.error(error.reason)
        }
    }

    /// Reads an exchange's line; nil: it is the last.
    func exchange(_ line: [UInt8]) throws(RecordingError) -> RecordingLines.Line? {
        let root = try json(line)
        do throws(LineError) {
            return try RecordingLines.decode(root)
        } catch {
            throw self.error(error.reason)
        }
    }

    func piece(_ line: [UInt8]) throws(RecordingError) -> [UInt8] {
        let root = try json(line)
        do throws(LineError) {
            return try RecordingLines.piece(root)
        } catch {
            throw self.error(error.reason)
        }
    }

    func error(_ reason: String) -> RecordingError {
        RecordingError(.format, "\(path), line \(number): \(reason)")
    }
}
