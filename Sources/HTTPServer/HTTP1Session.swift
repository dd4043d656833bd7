/// A connection's HTTP/1.1 side. One request at a time waits for the application; while one is
/// put off, those behind it stay unread, which keeps the answers in order.
final class HTTP1Session: WireSession {
    private struct Answer {
        var response: HTTPResponse
        var keepAlive: Bool
        var isHTTP10: Bool
        var isHead: Bool
    }

    /// What is to be known of a request when its answer comes.
    private struct Waiting {
        var number: UInt64
        var keepAlive: Bool
        var isHTTP10: Bool
        var isHead: Bool
    }

    /// Pipelined answers in one turn; more requests stay unread until the next.
    private static let answersPerTurnMax = 64

    private var parser: HTTP1Parser
    /// Bytes behind a request that was put off.
    private var backlog: [UInt8] = []
    private var answers: [Answer] = []
    private var waiting: Waiting?
    private var requestCount: UInt64 = 0
    private var owesContinue = false
    /// No request will be read any more.
    private var isClosing = false
    private var isDraining = false
    /// Closed between two requests, without an answer on its way.
    private(set) var needsLinger = true

    init(limits: HTTPLimits) { parser = HTTP1Parser(limits: limits) }

    private var canParse: Bool {
        waiting == nil && !isClosing && answers.count < Self.answersPerTurnMax
    }
    var wantsInput: Bool { canParse && backlog.isEmpty }
    var canResume: Bool { canParse && !backlog.isEmpty }
    var isFinished: Bool { isClosing && waiting == nil && answers.isEmpty }

    var phase: ConnectionPhase {
        guard waiting == nil else { return .application }
        switch parser.phase {
        case .betweenRequests, .failed: return .idle(requestCount)
        case .headers: return .headers(requestCount)
        case .body: return .body(requestCount, since: nil)
        }
    }

    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop) {
        var offset = 0
        while canParse {
            switch parser.next(bytes, &offset) {
            case .needsMore: return
            case .continueExpected:
                owesContinue = true
                loop.touch(connection)
            case .failure(let error):
                isClosing = true
                answer(
                    HTTPResponse(status: error.status),
                    Waiting(number: 0, keepAlive: false, isHTTP10: false, isHead: false))
                loop.touch(connection)
            case .request(let request, let keepAlive):
                handle(request, keepAlive: keepAlive, on: connection, loop)
            }
        }
        guard !isClosing else { return }
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer {
            unsafe backlog.append(contentsOf: $0)
        }
    }

    private func handle(
        _ request: HTTPRequest, keepAlive: Bool, on connection: Connection, _ loop: HTTPLoop
    ) {
        requestCount += 1
        let waiting = Waiting(
            number: requestCount, keepAlive: keepAlive, isHTTP10: request.version == .http10,
            isHead: request.method == "HEAD")
        if !keepAlive { isClosing = true }
        switch loop.dispatch(request, on: connection, stream: requestCount) {
        case .respond(let response): answer(response, waiting)
        case .later: self.waiting = waiting
        case .cut: isClosing = true
        }
    }

    private func answer(_ response: HTTPResponse, _ to: Waiting) {
        answers.append(
            Answer(
                response: response, keepAlive: to.keepAlive, isHTTP10: to.isHTTP10,
                isHead: to.isHead))
    }

    func resume(on connection: Connection, _ loop: HTTPLoop) {
        let bytes = backlog
        backlog = []
        receive(bytes.span, on: connection, loop)
    }

    func isWaiting(for stream: UInt64) -> Bool { waiting?.number == stream }

    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool {
        guard let waiting, waiting.number == stream else { return false }
        self.waiting = nil
        answer(response, waiting)
        return true
    }

    func failAnswers(with response: HTTPResponse) {
        for index in answers.indices where !answers[index].response.standsAlone {
            answers[index].response = response
        }
    }

    func gather(into out: inout [UInt8], _ loop: HTTPLoop) -> Bool {
        if isDraining, waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty {
            isClosing = true
        }
        for (index, answer) in answers.enumerated() {
            let isLast = isClosing && waiting == nil && index == answers.count - 1
            HTTP1Writer.append(
                answer.response, to: &out, date: loop.date, keepAlive: answer.keepAlive && !isLast,
                isHTTP10: answer.isHTTP10, isHead: answer.isHead)
        }
        answers.removeAll(keepingCapacity: answers.count < 8)
        if owesContinue {
            owesContinue = false
            out.append(contentsOf: HTTP1Writer.continueLine)
        }
        return false
    }

    func beginDrain(of connection: Connection, _ loop: HTTPLoop) {
        isDraining = true
        guard waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty else { return }
        isClosing = true
        needsLinger = !answers.isEmpty
    }

    func noteEndOfInput() { isClosing = true }
}
