/// A connection's HTTP/1.1 side. One request at a time waits for the application; while one is
/// put off, those behind it stay unread, which keeps the answers in order.
final class HTTP1Session: WireSession {
    /// What is to be known of a request when its answer comes.
    private struct Asked {
        var number: UInt64 = 0
        var keepAlive = false
        var isHTTP10 = false
        var isHead = false
    }

    private struct Answer {
        var response: HTTPResponse
        let to: Asked
        /// What is left of the body, once the head is written.
        var body: UnsentBody?

        var heldBytes: Int { body?.heldBytes ?? response.body.count }
    }

    /// Pipelined answers at once; more requests stay unread.
    private static let answersMax = 64
    /// About how much goes into one write.
    private static let writeBytes = 64 << 10

    private var parser: HTTP1Parser
    /// Bytes behind a request that was put off.
    private var backlog: [UInt8] = []
    private var answers: [Answer] = []
    /// How many of them are of earlier turns.
    private var committedCount = 0
    /// Bytes of all answers' bodies.
    private var answerBytes = 0
    private var waiting: Asked?
    private var requestCount: UInt64 = 0
    private var owesContinue = false
    /// The answer that is being sent waits for its source.
    private var awaitsSource = false
    /// No request will be read any more.
    private var isClosing = false
    private var isDraining = false
    /// Closed between two requests, without an answer on its way.
    private(set) var needsLinger = true
    private(set) var hasFailed = false
    private(set) var bodyBytesReceived = 0
    var allowance: MemoryBudget.Allowance

    init(limits: HTTPLimits, allowance: MemoryBudget.Allowance) {
        parser = HTTP1Parser(limits: limits)
        self.allowance = allowance
    }

    private var canParse: Bool {
        waiting == nil && !isClosing && answers.count < Self.answersMax
            && answerBytes < allowance.outputBytes
    }
    /// A part of a request holds memory: the rest is read, or refused, although none is free.
    private var isMidway: Bool {
        waiting == nil && !isClosing && answers.isEmpty && parser.heldBytes > 0
    }
    var wantsInput: Bool { backlog.isEmpty && (canParse || isMidway) }
    var canResume: Bool { canParse && !backlog.isEmpty }
    var isFinished: Bool { isClosing && waiting == nil && answers.isEmpty }
    var heldBytes: Int { parser.heldBytes + backlog.count + answerBytes }
    var awaitsBody: Bool { waiting == nil && !isClosing && parser.phase == .body }
    var awaitsWindow: Bool { false }

    var phase: ConnectionPhase {
        guard waiting == nil, answers.isEmpty else { return .busy }
        switch parser.phase {
        case .betweenRequests, .failed: return .idle(requestCount)
        case .headers: return .headers(requestCount)
        case .body: return .busy
        }
    }

    // MARK: Requests

    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop) {
        bodyBytesReceived += bytes.count
        if allowance.bodyBytes == 0, isMidway {
            parser.abandon()
            return refuse(.overloaded, on: connection, loop)
        }
        var offset = 0
        while canParse {
            switch parser.next(bytes, &offset) {
            case .needsMore:
                guard parser.bodyBytes > allowance.bodyBytes else { return }
                parser.abandon()
                refuse(.overloaded, on: connection, loop)
            case .continueExpected:
                owesContinue = true
                loop.touch(connection)
            case .failure(let error):
                refuse(HTTPResponse(status: error.status), on: connection, loop)
            case .request(let request, let keepAlive):
                handle(request, keepAlive: keepAlive, on: connection, loop)
            }
        }
        guard !isClosing else { return }
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer {
            unsafe backlog.append(contentsOf: $0)
        }
    }

    private func refuse(
        _ response: HTTPResponse, on connection: Connection, _ loop: HTTPLoop
    ) {
        isClosing = true
        answer(response, Asked())
        loop.touch(connection)
    }

    private func handle(
        _ request: HTTPRequest, keepAlive: Bool, on connection: Connection, _ loop: HTTPLoop
    ) {
        requestCount += 1
        let asked = Asked(
            number: requestCount, keepAlive: keepAlive, isHTTP10: request.version == .http10,
            isHead: request.method == "HEAD")
        if !keepAlive { isClosing = true }
        switch loop.dispatch(request, on: connection, stream: requestCount) {
        case .respond(let response): answer(response, asked)
        case .later: waiting = asked
        case .cut: isClosing = true
        }
    }

    func resume(on connection: Connection, _ loop: HTTPLoop) {
        let bytes = backlog
        backlog = []
        // They were counted when they came.
        bodyBytesReceived -= bytes.count
        receive(bytes.span, on: connection, loop)
    }

    func isWaiting(for stream: UInt64) -> Bool { waiting?.number == stream }

    func beginDrain(of connection: Connection, _ loop: HTTPLoop) {
        isDraining = true
        guard waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty else { return }
        isClosing = true
        needsLinger = !answers.isEmpty
    }

    func noteEndOfInput() { isClosing = true }

    // MARK: Answers

    private func answer(_ response: HTTPResponse, _ asked: Asked) {
        // Its body has come, or is not wanted any more.
        owesContinue = false
        var response = response.limited(to: allowance.answerBytes)
        if asked.isHTTP10, response.length == nil {
            // HTTP/1.0 has no chunks, and its client could not tell a part from the whole.
            response = HTTPResponse(status: 505)
        }
        answerBytes += response.body.count
        answers.append(Answer(response: response, to: asked))
    }

    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool {
        guard let asked = waiting, asked.number == stream else { return false }
        waiting = nil
        answer(response, asked)
        return true
    }

    func resumeBody(of stream: UInt64) { awaitsSource = false }

    func failAnswers(with response: HTTPResponse) {
        for index in committedCount..<answers.count where !answers[index].response.standsAlone {
            answerBytes += response.body.count - answers[index].heldBytes
            answers[index].response = response
        }
    }

    func noteCommitted() { committedCount = answers.count }

    func gather(into out: inout [UInt8], _ loop: HTTPLoop) -> Bool {
        if isDraining, waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty {
            isClosing = true
        }
        while !answers.isEmpty, !awaitsSource, !hasFailed {
            guard out.count < Self.writeBytes else { return true }
            if answers[0].body == nil { writeHead(into: &out, loop.date) }
            writeBody(into: &out)
        }
        if owesContinue, answers.isEmpty {
            owesContinue = false
            out.append(contentsOf: HTTP1Writer.continueLine)
        }
        return false
    }

    private func writeHead(into out: inout [UInt8], _ date: DateField) {
        let asked = answers[0].to
        let isLast = isClosing && waiting == nil && answers.count == 1
        HTTP1Writer.appendHead(
            answers[0].response, to: &out, date: date, keepAlive: asked.keepAlive && !isLast,
            isHTTP10: asked.isHTTP10)
        answers[0].body = UnsentBody(answers[0].response)
        answers[0].response.body = []
    }

    /// Writes what there is of the first answer's body, which is forgotten once it is whole.
    private func writeBody(into out: inout [UInt8]) {
        let (response, to) = (answers[0].response, answers[0].to)
        // Taken out while the application may be asked for more.
        guard response.hasBody, !to.isHead, var body = answers[0].body else { return forgetFirst() }
        let held = body.heldBytes
        let step = body.next(max(4 << 10, Self.writeBytes - out.count))
        answers[0].body = body
        answerBytes += body.heldBytes - held
        switch step {
        case .bytes(let piece, let isLast):
            if response.source != nil, response.length == nil {
                HTTP1Writer.appendChunk(piece, isLast: isLast, to: &out)
            } else {
                out.append(contentsOf: piece)
            }
            if isLast { forgetFirst() }
        case .waiting: awaitsSource = true
        case .failed: hasFailed = true
        }
    }

    private func forgetFirst() {
        answerBytes -= answers.removeFirst().heldBytes
        committedCount = max(0, committedCount - 1)
    }
}
