package import FileSystem
private import JSON

/// Writes a recording beside its place, exchange by exchange, and puts it there when it is whole.
///
/// Each exchange is written at once: what a kill leaves in the draft is whole but for the last, and can be
/// replayed.
package struct RecordingWriter: ~Copyable {
    private let files: Files
    private let path: String
    private let file: ByteFile
    private var bytesLeft: Int
    package private(set) var exchanges = 0

    /// Where a recording stands until it is whole.
    package static func draft(of path: String) -> String { path + ".part" }

    /// Begins a recording.
    ///
    /// - Throws: `RecordingError` also where there is one already, or a draft of one.
    package init(_ path: String, _ head: RecordingHead, _ files: Files) throws(RecordingError) {
        let place = files.absolute(path)
        let draft = Self.draft(of: place)
        for name in [place, draft] where files.facts(name) != nil {
            throw RecordingError(
                .file,
                "\(name) exists already and is not overwritten; remove it or name another file")
        }
        file = try Self.begin(draft, head.line)
        self.files = files
        self.path = place
        bytesLeft = RecordingLimits.fileBytesMax - head.line.count
    }

    private static func begin(_ draft: String, _ line: [UInt8]) throws(RecordingError) -> ByteFile {
        do throws(FileError) {
            let file = try ByteFile(creating: draft, mode: 0o600)
            try file.write(line)
            return file
        } catch {
            throw RecordingError(.file, error.description)
        }
    }

    /// Adds an exchange.
    package mutating func append(_ exchange: RecordedExchange) throws(RecordingError) {
        guard exchanges < RecordingLimits.exchangesMax else {
            throw RecordingError(
                .full, "a recording has at most \(RecordingLimits.exchangesMax) exchanges")
        }
        try write(RecordingLines.encode(exchange))
        exchanges += 1
    }

    /// Ends the recording and gives the file its name.
    package mutating func finish() throws(RecordingError) {
        let count = exchanges
        var writer = JSONWriter()
        writer.object { $0.member("end", count) }
        writer.endLine()
        try write(writer.bytes)
        let draft = Self.draft(of: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        do throws(FileError) {
            try file.synchronize()
            try files.link(draft, as: path)
            files.remove(draft)
            try ByteFile.synchronize(folder: folder)
        } catch {
            throw RecordingError(.file, error.description + "; the recorded part is in \(draft)")
        }
    }

    private mutating func write(_ bytes: [UInt8]) throws(RecordingError) {
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else {
            throw RecordingError(
                .full, "a recording has at most \(RecordingLimits.fileBytesMax >> 30) GiB")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            throw RecordingError(.file, error.description)
        }
    }
}
