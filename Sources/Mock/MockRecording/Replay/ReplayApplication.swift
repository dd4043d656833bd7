private import CloudModel
private import CloudWire
import HTTPServer

/// Answers requests from a recording.
final class ReplayApplication: WholeBodies {
    private let file: RecordingFile
    private let own: String
    private var book: ReplayBook
    private let tally: ReplayTally

    init(_ file: RecordingFile, own: String, _ tally: ReplayTally) {
        self.file = file
        self.own = own
        book = ReplayBook(file)
        self.tally = tally
    }

    // The server's thread lets go of it at the end.
    deinit { tally.end(book.unasked) }

    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        let asked = RecordedRequest(
            method: request.method, target: request.target, caller: "", range: request["range"],
            body: OwnAddress.hidden(request.body, own))
        switch book.next(
            for: asked, keyID: request[Credentials.keyIDHeader],
            hasCookies: request["cookie"] != nil)
        {
        case .exchange(let entry):
            return answer(entry)
        case .miss(let reason):
            let number = tally.miss("\(request.method) \(request.path): \(reason)")
            let error = CloudError(
                .badRequest, reason: "not in the recording: \(reason)", httpStatus: 400)
            return .respond(HTTPResponse(ErrorAnswer.make(error, number: number)))
        }
    }

    private func answer(_ entry: RecordingFile.Entry) -> HTTPAnswer {
        do throws(RecordingError) {
            let (answer, pieces) = try file.answer(of: entry)
            var response = HTTPResponse(OwnAddress.filled(answer, own))
            tally.answer()
            if let pieces { response.source = PieceSource(pieces) }
            return .respond(response)
        } catch {
            _ = tally.miss("exchange \(entry.number): \(error)")
            return .respond(HTTPResponse(status: 500))
        }
    }
}

/// Hands out a recorded body piece by piece.
private final class PieceSource: HTTPBodySource {
    private var pieces: BodyPieces
    init(_ pieces: BodyPieces) { self.pieces = pieces }
    var length: Int? { pieces.bytes }
    func next() throws -> HTTPBodyPiece { try pieces.next().map { .bytes($0) } ?? .end }
}
