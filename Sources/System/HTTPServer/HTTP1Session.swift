/// A connection's HTTP/1.1 side. One request at a time waits for the application; while one is
/// put off, those behind it stay unread, which keeps the answers in order.
final class HTTP1Session: WireSession {
    /// What is to be known of a request when its answer comes.
    private struct Asked {
        var number: UInt64 = 0
        var keepAlive = false
        var isHTTP10 = false
        var isHead = false
        /// Who answers it, or takes its body; nil as long as that is not known.
        var application: (any HTTPApplication)?
    }

    /// A request whose body is being read.
    private struct Reading {
        var request: HTTPRequest
        var asked: Asked
        var body: IncomingBody

        var heldBytes: Int { request.headers.text.count + body.heldBytes }
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
    /// Bytes behind a request that waits, while memory is short.
    private static let backlogBytesMax = 16 << 10
    /// About how much goes into one write.
    private static let writeBytes = 64 << 10

    private var parser: HTTP1Parser
    private var reading: Reading?
    /// Bytes behind a request that was put off, or behind a piece that its sink takes its time for.
    private var backlog: [UInt8] = []
    /// The sink goes on, which may have the end of its body seen without another byte.
    private var isResumed = false
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
        isReady && answers.count < Self.answersMax && answerBytes < allowance.outputBytes
    }
    /// Nothing but room for answers keeps the next bytes from being read.
    private var isReady: Bool {
        waiting == nil && !isClosing && reading?.body.isWaiting != true
    }
    /// A part of a request holds memory: the rest is read, or refused, although none is free.
    private var isMidway: Bool {
        isReady && answers.isEmpty && (reading != nil || parser.heldBytes > 0)
    }
    /// What a sink goes on with comes first: its body may be whole, and the next to be read the end.
    var wantsInput: Bool { backlog.isEmpty && !isResumed && (canParse || isMidway) }
    var canResume: Bool { (canParse || isMidway) && (!backlog.isEmpty || isResumed) }
    var readsWhileSending: Bool { false }
    var isFinished: Bool { isClosing && waiting == nil && answers.isEmpty }
    var heldBytes: Int {
        parser.heldBytes + (reading?.heldBytes ?? 0) + backlog.count + answerBytes
    }
    var awaitsBody: Bool { reading != nil && (canParse || isMidway) }
    var hasBody: Bool { reading != nil && !isClosing }
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
        if allowance.bodyBytes == 0, isMidway { return refuse(.overloaded, on: connection, loop) }
        var offset = 0
        while canParse, !connection.isCut {
            switch parser.next(bytes, &offset) {
            case .needsMore: return
            case .head(let request, let length):
                begin(request, length: length, on: connection, loop)
            case .continueExpected:
                owesContinue = true
                loop.touch(connection)
            case .body(let range): take(bytes.extracting(range), on: connection, loop)
            case .end(let keepAlive): handle(keepAlive: keepAlive, on: connection, loop)
            case .failure(let error):
                let request = error.reason == .bodyTooLarge ? reading?.request : nil
                let refusal = request.map { loop.refusal(ofLongBodyOf: $0) }
                refuse(
                    refusal ?? HTTPResponse(status: error.status), on: connection, loop)
            }
        }
        guard !isClosing else { return }
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer {
            unsafe backlog.append(contentsOf: $0)
        }
        // Nobody honest sends much behind a request that waits; when memory is short it ends there.
        if waiting != nil, backlog.count > Self.backlogBytesMax, allowance.bodyBytes != .max {
            connection.isCut = true
            loop.touch(connection)
        }
    }

    /// Gives an answer to what is being read, or before anything is, and reads nothing more.
    func refuse(
        _ response: HTTPResponse, on connection: Connection, _ loop: HTTPLoop
    ) {
        let asked = reading?.asked ?? Asked()
        abandon()
        answer(response, asked)
        loop.touch(connection)
    }

    /// Forgets the request that is being read, and reads nothing more.
    func abandon() {
        isClosing = true
        let sink = reading.take()?.body.sink
        sink?.abandon()
    }

    private func begin(
        _ request: HTTPRequest, length: Int?, on connection: Connection, _ loop: HTTPLoop
    ) {
        requestCount += 1
        let asked = Asked(
            number: requestCount, isHTTP10: request.version == .http10,
            isHead: request.method == "HEAD")
        reading = Reading(request: request, asked: asked, body: IncomingBody())
        guard length != 0 else { return }
        let (use, application) = loop.use(
            ofBodyOf: request, length: length, on: connection, stream: requestCount)
        switch use {
        case .collect(let bytesMax):
            parser.bodyBytesMax = bytesMax
            reading?.body.reserve(length ?? 0)
        case .stream(let sink, let bytesMax):
            parser.bodyBytesMax = bytesMax
            reading?.body.sink = sink
            reading?.asked.application = application
        case .refuse(let response):
            reading?.asked.application = application
            refuse(response, on: connection, loop)
        }
    }

    private func take(_ piece: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop) {
        unsafe piece.withUnsafeBufferPointer { unsafe reading?.body.append($0) }
        guard var body = reading?.body else { return }
        body.pour()
        // It may have been answered meanwhile.
        guard reading != nil else { return }
        reading?.body.settle(after: body)
        guard let count = reading?.body.count, count > allowance.bodyBytes else { return }
        refuse(.overloaded, on: connection, loop)
    }

    private func handle(keepAlive: Bool, on connection: Connection, _ loop: HTTPLoop) {
        guard let whole = reading.take() else { preconditionFailure("a body without a head") }
        var (request, asked) = (whole.request, whole.asked)
        request.body = whole.body.bytes
        asked.keepAlive = keepAlive
        if !keepAlive { isClosing = true }
        let (answer, application) = loop.dispatch(
            request, whole.body.sink, of: asked.application, on: connection, stream: asked.number)
        asked.application = application
        switch answer {
        case .respond(let response): self.answer(response, asked)
        case .later: waiting = asked
        case .cut: isClosing = true
        }
    }

    func resume(on connection: Connection, _ loop: HTTPLoop) {
        let bytes = backlog
        backlog = []
        isResumed = false
        // They were counted when they came.
        bodyBytesReceived -= bytes.count
        receive(bytes.span, on: connection, loop)
    }

    func isWaiting(for stream: UInt64) -> Bool {
        (waiting ?? reading?.asked)?.number == stream
    }

    func beginDrain(of connection: Connection, _ loop: HTTPLoop) {
        isDraining = true
        finishSources()
        guard waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty else { return }
        isClosing = true
        needsLinger = !answers.isEmpty
    }

    func noteEndOfInput() {
        isClosing = true
        finishSources()
    }

    /// Has bodies come to an end that have none of their own.
    private func finishSources() {
        for (index, answer) in answers.enumerated() {
            let isReady = answer.body?.finish() ?? answer.response.source?.finish() ?? false
            if isReady, index == 0 { awaitsSource = false }
        }
    }

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
        guard isWaiting(for: stream), let asked = waiting ?? reading?.asked else { return false }
        // Before its end: the rest will not be read.
        if waiting.take() == nil { abandon() }
        answer(response, asked)
        return true
    }

    func resumeBody(of stream: UInt64) {
        awaitsSource = false
        guard reading?.asked.number == stream else { return }
        reading?.body.resume()
        isResumed = true
    }

    func failAnswers(of application: any HTTPApplication, with response: HTTPResponse) {
        for index in committedCount..<answers.count
        where !answers[index].response.survivesRollback
            && answers[index].to.application === application
        {
            answerBytes += response.body.count - answers[index].heldBytes
            answers[index].response = response
        }
    }

    func streams(waitingFor application: any HTTPApplication) -> [UInt64] {
        guard let asked = waiting ?? reading?.asked, asked.application === application else {
            return []
        }
        return [asked.number]
    }

    func cutSources(of application: any HTTPApplication) {
        hasFailed =
            hasFailed
            || answers.contains { answer in
                answer.to.application === application
                    && (answer.body?.hasSource ?? (answer.response.source != nil))
            }
    }

    func noteCommitted() { committedCount = answers.count }

    func gather(into out: inout [UInt8], _ loop: HTTPLoop) -> Bool {
        if isDraining, waiting == nil, parser.phase == .betweenRequests, backlog.isEmpty {
            isClosing = true
        }
        while !answers.isEmpty, !awaitsSource, !hasFailed {
            guard out.count < Self.writeBytes else { return true }
            if answers[0].body == nil {
                writeHead(into: &out, loop.date(of: answers[0].to.application))
            }
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
