package import HTTPServer
import MockService
import MockStore

extension NamespaceHost {
    /// The answer to a request where there is no loop, with its job carried out and its body made as
    /// a whole; nil cuts the connection.
    package func answer(_ request: HTTPRequest) throws -> HTTPResponse? {
        var delay = Duration.zero
        return try answer(request, delay: &delay)
    }

    /// - Parameter delay: Set to how long the answer is to be held back.
    func answer(_ request: HTTPRequest, delay: inout Duration) throws -> HTTPResponse? {
        var outcome = respond(request)
        // No request can release what is held at a gate.
        while true {
            if case .hold(_, _, let next) = outcome {
                outcome = next()
            } else if case .wait(_, let next) = outcome {
                outcome = next()
            } else {
                break
            }
        }
        if case .job(let job, _) = outcome {
            do throws(MockStoreError) {
                try finish(job)
            } catch {
                return HTTPResponse(MockError(error))
            }
        }
        try commit()
        var response: HTTPResponse
        switch outcome {
        case .respond(let made, let time): (response, delay) = (made, time)
        case .cut(let time):
            delay = time
            return nil
        case .poll, .watch: response = HTTPResponse(status: 200)
        case .job(_, let answer): response = answer()
        case .release(_, let made): response = made
        case .hold, .wait: return nil
        }
        try response.makeWholeBody()
        return response
    }
}

extension HTTPResponse {
    /// A body that is not complete, and cannot be waited for without a loop.
    package struct Unfinished: Error {}

    /// Makes a body that would be made while it is sent.
    ///
    /// - Throws: What the source throws, or ``Unfinished`` when it waits for something that comes later.
    package mutating func makeWholeBody() throws {
        while let source {
            switch try source.next() {
            case .bytes(let piece): body += piece
            case .end: self.source = nil
            case .waiting: throw Unfinished()
            }
        }
    }
}
