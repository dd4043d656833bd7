import AsyncOperations
import HTTPClient
import HTTPServer

/// Keeps the stand-ins and the file of a recording.
actor Recorder {
    private let executor = ThreadExecutor(label: "recorder")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    private var translator: Translator
    private var writer: RecordingWriter
    /// What ended the recording early.
    private(set) var failure: RecordingError?
    private(set) var exchanges = 0
    private(set) var refusals = 0
    private(set) var lost = 0

    init(_ translator: Translator, _ writer: consuming RecordingWriter) {
        self.translator = translator
        self.writer = writer
    }

    /// Decides what becomes of a request; nil when nothing can be recorded any more.
    func begin(_ request: HTTPRequest) -> Translation? {
        guard failure == nil else { return nil }
        do throws(RecordingError) {
            return try translator.translate(request)
        } catch {
            failure = error
            return nil
        }
    }

    /// Writes an exchange down, before its client gets the answer.
    ///
    /// - Returns: What the client gets; nil when the exchange could not be written.
    func end(
        _ number: Int, _ forwarded: Translation.Forwarded, _ response: HTTPClientResponse
    ) -> RecordedAnswer? {
        guard failure == nil else { return nil }
        do throws(RecordingError) {
            let answer = try translator.translate(response, to: forwarded)
            try write(number, forwarded.recorded, answer.recorded)
            return answer.sent
        } catch {
            failure = error
            return nil
        }
    }

    /// Writes down that the proxy has refused a request.
    func refuse(
        _ number: Int, _ request: RecordedRequest, _ answer: RecordedAnswer
    ) -> RecordedAnswer? {
        refusals += 1
        guard failure == nil else { return nil }
        do throws(RecordingError) {
            try write(number, request, answer)
            return answer
        } catch {
            failure = error
            return nil
        }
    }

    /// A request has got no answer from the service.
    func lose() { lost += 1 }

    /// Gives the file its name.
    func finish() throws(RecordingError) {
        if let failure { throw failure }
        try writer.finish()
    }

    private func write(
        _ number: Int, _ request: RecordedRequest, _ answer: RecordedAnswer
    ) throws(RecordingError) {
        try writer.append(
            RecordedExchange(number: number, request: request, answer: answer))
        exchanges += 1
    }
}
