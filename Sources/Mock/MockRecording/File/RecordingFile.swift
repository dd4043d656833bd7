package import FileSystem
private import JSON

/// A recording on disk: where its exchanges are, and what they answer to. Bodies stay in the file.
package final class RecordingFile: Sendable {
    /// What is kept in memory of an exchange.
    package struct Entry: Sendable {
        package let number: Int
        package let key: RequestKey
        package let method: String
        package let path: String
        package let caller: String
        /// Whether its request has texts that the program knew by itself.
        let hasOwnTexts: Bool
        /// Where its line begins, and how long it is.
        let place: Int
        let length: Int
    }

    package let head: RecordingHead
    package let entries: [Entry]
    /// By stand-in, whose credential it is.
    package let callers: [String: String]
    /// Whether the recording was ended; else it is what a kill has left.
    package let isEnded: Bool
    private let path: String
    private let file: ByteFile

    /// Reads what there is, without keeping bodies.
    package init(_ path: String, _ files: Files) throws(RecordingError) {
        self.path = path
        do throws(FileError) {
            file = try ByteFile(reading: files.absolute(path), named: path)
        } catch {
            throw RecordingError(.file, error.description)
        }
        var lines = RecordingLineReader(path)
        guard let first = try lines.next(file) else {
            throw RecordingError(.format, "\(path) is empty")
        }
        do throws(RecordingError) {
            head = try RecordingHead(try lines.json(first.bytes))
        } catch {
            throw RecordingError(error.code, "\(path), \(error.reason)")
        }
        var entries: [Entry] = []
        var callers = CallerTable()
        var isEnded = false
        while let line = try lines.next(file) {
            guard let read = try lines.exchange(line.bytes) else {
                isEnded = true
                break
            }
            // What a kill has cut was never answered.
            guard let request = try Self.request(of: read, &lines, file) else { break }
            guard entries.count < RecordingLimits.exchangesMax else {
                throw lines.error("there are more exchanges than a recording may have")
            }
            callers.note(request, read.answer)
            entries.append(
                Entry(
                    number: read.number, key: RequestKey(request), method: request.method,
                    path: request.path, caller: request.caller,
                    hasOwnTexts: !request.ownTexts.isEmpty, place: line.place,
                    length: line.bytes.count))
        }
        if isEnded, try lines.next(file) != nil {
            throw lines.error("trailing data after the end of the recording")
        }
        self.entries = entries.sorted { $0.number < $1.number }
        self.callers = callers.callers
        self.isEnded = isEnded
    }

    /// The request of an exchange with its body, whose pieces are read past, as those of the answer are.
    ///
    /// - Returns: nil where pieces are missing.
    private static func request(
        of read: RecordingLines.Line, _ lines: inout RecordingLineReader, _ file: borrowing ByteFile
    ) throws(RecordingError) -> RecordedRequest? {
        var request = read.request
        request.body = []
        for (body, isRequest) in [(read.requestBody, true), (read.answerBody, false)] {
            switch body {
            case .text(let text): if isRequest { request.body = text }
            case .pieces(let count, _):
                for _ in 0..<count {
                    guard let piece = try lines.next(file) else { return nil }
                    let bytes = try lines.piece(piece.bytes)
                    if isRequest { request.body += bytes }
                }
            }
        }
        return request
    }

    /// The request of an exchange, with its body.
    package func request(of entry: Entry) throws(RecordingError) -> RecordedRequest {
        let (line, place) = try line(of: entry)
        var request = line.request
        switch line.requestBody {
        case .text(let text): request.body = text
        case .pieces(let count, let bytes):
            var pieces = BodyPieces(self, at: place, count: count, bytes: bytes)
            while let piece = try pieces.next() { request.body += piece }
        }
        return request
    }

    /// The answer of an exchange: with its body, or the pieces of that.
    package func answer(
        of entry: Entry
    ) throws(RecordingError) -> (answer: RecordedAnswer, pieces: BodyPieces?) {
        var (line, place) = try line(of: entry)
        if case .pieces(let count, let bytes) = line.requestBody {
            var skipped = BodyPieces(self, at: place, count: count, bytes: bytes)
            while try skipped.next() != nil {}
            place = skipped.place
        }
        var answer = line.answer
        switch line.answerBody {
        case .text(let text):
            answer.body = text
            return (answer, nil)
        case .pieces(let count, let bytes):
            return (answer, BodyPieces(self, at: place, count: count, bytes: bytes))
        }
    }

    /// An exchange's line, and where the next one begins.
    private func line(of entry: Entry) throws(RecordingError) -> (RecordingLines.Line, Int) {
        var lines = RecordingLineReader(path, at: entry.place)
        guard let line = try lines.next(file), let read = try lines.exchange(line.bytes) else {
            throw RecordingError(.format, "\(path) has changed while it was in use")
        }
        return (read, lines.place)
    }

    /// The piece whose line begins at a place, and where the next one begins.
    fileprivate func piece(at place: Int) throws(RecordingError) -> ([UInt8], next: Int) {
        var lines = RecordingLineReader(
            path, at: place, chunkBytes: RecordingLimits.pieceLineBytesMax)
        guard let line = try lines.next(file) else {
            throw RecordingError(.format, "\(path) has changed while it was in use")
        }
        return (try lines.piece(line.bytes), lines.place)
    }
}

/// A body that is read from a recording piece by piece.
package struct BodyPieces: Sendable {
    private let file: RecordingFile
    fileprivate private(set) var place: Int
    private var left: Int
    /// Of the whole body.
    package let bytes: Int

    init(_ file: RecordingFile, at place: Int, count: Int, bytes: Int) {
        self.file = file
        self.place = place
        left = count
        self.bytes = bytes
    }

    /// The next piece; nil at the end.
    package mutating func next() throws(RecordingError) -> [UInt8]? {
        guard left > 0 else { return nil }
        left -= 1
        let (piece, next) = try file.piece(at: place)
        place = next
        return piece
    }
}
