import OpenSSL

/// One client: its socket, what it speaks, what is still to be sent, and what is waited for.
final class Connection {
    let slot: Int
    let number: UInt64
    private var transport: Transport
    private var session: (any WireSession)?
    /// What the socket did not take yet, and how much of it has gone.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    /// Since when the socket has not taken all that there was to send, for a session that may read
    /// meanwhile.
    private var blockedSince: Int64?
    /// Everything that the socket has taken.
    private var bytesSent = 0
    /// What the loop's budget counts for this connection.
    private var bytesCounted = 0

    private var deadlines = ClientDeadlines()
    /// The loop's timer for them, and when it fires.
    var timer: (time: Int64, number: UInt64)?
    /// Whether it is in the loop's list of connections to flush.
    var isTouched = false
    /// Whether it is in the loop's list of connections to read again.
    var isAgain = false
    /// To be closed without further ado once the turn's answers are sent.
    var isCut = false
    /// Nothing may be sent any more.
    private var isAbandoned = false
    /// Who has given answers in this turn.
    private var answering: Set<ObjectIdentifier> = []
    private var isLingering = false
    /// Something was still to be sent when the server began to end.
    private var hasLastAnswer = false
    private var sawEnd = false
    private var handshakeWantsWrite = false
    /// Reading stopped before the socket, or TLS, had nothing more to give.
    private var stoppedReading = false
    private var watchesRead = true
    private var watchesWrite = false

    /// Bytes read, and sent, in one turn before others have theirs.
    private static let bytesPerTurnMax = 256 << 10
    /// How long something may stay unsent before more is read all the same; in nanoseconds.
    private static let blockedMax: Int64 = 20_000_000

    init(slot: Int, number: UInt64, transport: consuming Transport) {
        self.slot = slot
        self.number = number
        self.transport = transport
    }

    var descriptor: Int32 { transport.descriptor }
    /// What epoll hands back: the slot, and enough of the number to tell a successor apart.
    var pollerData: UInt64 { UInt64(slot) | (number & 0xFFFF_FFFF) << 32 }

    /// Whether more may be read: when all is sent, or when that takes long.
    ///
    /// Requests that are read while answers are on their way come in smaller batches, and every
    /// batch waits for the disk.
    private var mayTake: Bool {
        unsent.isEmpty || isBlockedForLong && session?.readsWhileSending == true
    }
    private var isBlockedForLong = false

    // MARK: Events

    /// The socket has something for us.
    func handleReadable(_ loop: HTTPLoop) {
        if isLingering {
            loop.withScratch { scratch in
                if !transport.discard(into: &scratch) { isCut = true }
            }
            if isCut { loop.touch(self) }
            return
        }
        if session == nil, !shakeHands(loop) { return }
        var rest = Self.bytesPerTurnMax
        stoppedReading = false
        countMemory(loop)
        loop.withScratch { scratch in
            while !isCut, mayTake, session?.wantsInput == true {
                switch transport.read(into: &scratch) {
                case .done(let count):
                    // What is waited for may change without a request.
                    loop.touch(self)
                    session?.receive(
                        scratch.span.extracting(0..<count), on: self, loop)
                    countMemory(loop)
                    rest -= count
                    guard rest > 0 else {
                        loop.again(self)
                        return
                    }
                    if !transport.hasPending() { return }
                case .wantsRead, .wantsWrite: return
                case .closed, .failed:
                    sawEnd = true
                    session?.noteEndOfInput()
                    loop.touch(self)
                    return
                }
            }
            stoppedReading = true
            // Perhaps for want of memory, in which case its socket is not to be watched.
            loop.touch(self)
        }
    }

    /// The socket takes bytes again.
    func handleWritable(_ loop: HTTPLoop) {
        if session == nil { handleReadable(loop) } else { loop.touch(self) }
    }

    /// An error on the socket, or both directions are closed: nobody is there any more.
    func handleBroken(_ loop: HTTPLoop) {
        isCut = true
        loop.touch(self)
    }

    /// Goes on where reading or sending was put off although the socket may stay silent.
    func handleAgain(_ loop: HTTPLoop) {
        loop.touch(self)
        countMemory(loop)
        // Otherwise it goes on when the socket has taken that.
        if mayTake, session?.canResume == true { session?.resume(on: self, loop) }
        handleReadable(loop)
    }

    private func shakeHands(_ loop: HTTPLoop) -> Bool {
        if transport.fallsToPlainText() {
            let refusing = HTTP1Session(limits: loop.limits, allowance: loop.budget.allowance)
            refusing.refuse(.plainText, on: self, loop)
            session = refusing
            return false
        }
        switch transport.handshake() {
        case .done:
            handshakeWantsWrite = false
            if transport.choseHTTP2() {
                session = HTTP2Session(
                    limits: loop.limits, allowance: loop.budget.allowance, now: loop.nowNanoseconds)
            } else {
                session = HTTP1Session(limits: loop.limits, allowance: loop.budget.allowance)
            }
            if loop.isDraining { session?.beginDrain(of: self, loop) }
            loop.touch(self)
            return true
        case .wantsRead:
            handshakeWantsWrite = false
        case .wantsWrite:
            handshakeWantsWrite = true
        case .closed, .failed:
            isCut = true
        }
        loop.touch(self)
        return false
    }

    // MARK: Answers

    func isWaiting(for stream: UInt64) -> Bool { session?.isWaiting(for: stream) ?? false }

    /// Whether a request waits for its answer, and its client has not said that it sends no more.
    func isListening(for stream: UInt64) -> Bool {
        isWaiting(for: stream) && !sawEnd && !transport.peerHasEnded()
    }

    func deliver(_ response: HTTPResponse, to stream: UInt64, _ loop: HTTPLoop) -> Bool {
        countMemory(loop)
        defer { countMemory(loop) }
        return session?.deliver(response, to: stream) ?? false
    }

    func resumeBody(of stream: UInt64) { session?.resumeBody(of: stream) }

    /// Takes note that an application has given an answer in this turn.
    func noteAnswer(of application: any HTTPApplication) {
        answering.insert(ObjectIdentifier(application))
    }

    func failAnswers(of application: any HTTPApplication, with response: HTTPResponse) {
        session?.failAnswers(of: application, with: response)
    }

    /// Answers what waits for an application that has ended, and cuts what it is still making.
    func end(
        _ application: any HTTPApplication, with response: HTTPResponse, _ loop: HTTPLoop
    ) {
        for stream in session?.streams(waitingFor: application) ?? [] {
            _ = deliver(response, to: stream, loop)
        }
        session?.cutSources(of: application)
    }

    /// Finishes what was begun and takes nothing new.
    func beginDrain(_ loop: HTTPLoop) {
        if let session {
            // What has arrived already is still served.
            handleReadable(loop)
            if !unsent.isEmpty { hasLastAnswer = true }
            session.beginDrain(of: self, loop)
        } else {
            isCut = true
        }
        loop.touch(self)
    }

    /// Puts what is to be sent into the buffer; returns how many bytes that are.
    func bufferAnswers(_ loop: HTTPLoop) -> Int {
        guard unsent.isEmpty, let session else { return 0 }
        var buffer: [UInt8] = []
        _ = session.gather(into: &buffer, loop)
        unsent = buffer
        return unsent.count
    }

    /// Forgets what was written down if an application has given some of it in this turn; the connection is
    /// then over at the next flush.
    func abandonAnswers(of application: any HTTPApplication) {
        guard answering.contains(ObjectIdentifier(application)) else { return }
        unsent = []
        isAbandoned = true
    }

    /// Sends what there is to send, then settles what to wait for. False when the connection is
    /// over and is to be forgotten.
    func flush(_ loop: HTTPLoop) -> Bool {
        session?.noteCommitted()
        answering.removeAll(keepingCapacity: true)
        guard !isAbandoned, send(loop), !isCut else { return false }
        // What came before the failure is sent first.
        guard session?.hasFailed != true || !unsent.isEmpty else { return false }
        if let session, session.isFinished, unsent.isEmpty, !isLingering {
            transport.endWriting()
            guard session.needsLinger || hasLastAnswer, !sawEnd else { return false }
            isLingering = true
        }
        countMemory(loop)
        noteBlocked(loop)
        if !isLingering, mayTake,
            session?.canResume == true
                || (stoppedReading && session?.wantsInput == true && transport.hasPending())
        {
            loop.again(self)
        }
        settleDeadlines(loop)
        watch(loop)
        return true
    }

    /// Sends until the socket takes no more, or it is the others' turn. False when it is broken.
    private func send(_ loop: HTTPLoop) -> Bool {
        var rest = Self.bytesPerTurnMax
        var hasMore = true
        while true {
            if unsent.isEmpty, hasMore, let session {
                guard rest > 0 else {
                    loop.again(self)
                    return true
                }
                // Of its own: what is asked for more of a body may answer somebody else here.
                var buffer: [UInt8] = []
                hasMore = session.gather(into: &buffer, loop)
                unsent = buffer
            }
            guard !unsent.isEmpty else { return true }
            let start = unsentStart
            let step = transport.write(unsent, from: &unsentStart)
            bytesSent += unsentStart - start
            rest -= unsentStart - start
            switch step {
            case .done:
                unsent = []
                unsentStart = 0
            case .wantsWrite, .wantsRead: return true
            case .closed, .failed: return false
            }
        }
    }

    private func noteBlocked(_ loop: HTTPLoop) {
        if unsent.isEmpty {
            blockedSince = nil
        } else if blockedSince == nil, session?.readsWhileSending == true {
            blockedSince = loop.nowNanoseconds
        }
        isBlockedForLong =
            blockedSince.map { loop.nowNanoseconds - $0 >= Self.blockedMax } ?? false
    }

    // MARK: Memory and deadlines

    /// Tells the loop's budget what is held, and the session what may be added.
    private func countMemory(_ loop: HTTPLoop) {
        let held = (session?.heldBytes ?? 0) + unsent.count
        loop.budget.change(from: bytesCounted, to: held)
        bytesCounted = held
        var allowance = loop.budget.allowance
        allowance.outputBytes -= unsent.count
        session?.allowance = allowance
    }

    /// Lets go of bodies that are not whole, and gives back what the budget has counted; the
    /// connection is over.
    func end(_ loop: HTTPLoop) {
        session?.abandon()
        loop.budget.change(from: bytesCounted, to: 0)
        bytesCounted = 0
    }

    private var bytesMoved: ClientDeadlines.Moved {
        ClientDeadlines.Moved(received: session?.bodyBytesReceived ?? 0, sent: bytesSent)
    }

    private func settleDeadlines(_ loop: HTTPLoop) {
        let awaitsReader = !isLingering && (!unsent.isEmpty || session?.awaitsWindow == true)
        let phase: ConnectionPhase =
            if isLingering {
                .lingering
            } else if awaitsReader {
                .busy
            } else {
                session?.phase ?? .handshake
            }
        deadlines.settle(
            phase, hasBody: !isLingering && session?.hasBody == true,
            awaitsBody: !isLingering && mayTake && session?.awaitsBody == true,
            awaitsReader: awaitsReader, moved: bytesMoved, now: loop.nowNanoseconds, loop.deadlines)
        setTimer(loop)
    }

    /// Sees to it that ``handleTimer(_:)`` is called at the first deadline or before: moving a
    /// deadline away, as most requests do, leaves the timer where it is.
    private func setTimer(_ loop: HTTPLoop) {
        let readsAgain = isBlockedForLong ? nil : blockedSince.map { $0 + Self.blockedMax }
        guard let next = [deadlines.next, readsAgain].compactMap(\.self).min() else { return }
        if let timer {
            guard timer.time > next else { return }
            loop.cancel(HTTPLoop.TimerID(number: timer.number))
        }
        timer = (next, loop.setTimer(of: self, at: next))
    }

    /// The timer has fired: cuts the client if a deadline is over, and reads what it sends if its
    /// answers have been on their way for long.
    func handleTimer(_ loop: HTTPLoop) {
        timer = nil
        isCut = isCut || deadlines.isOver(now: loop.nowNanoseconds, moved: bytesMoved)
        // Sets the timer again.
        loop.touch(self)
    }

    private func watch(_ loop: HTTPLoop) {
        let read: Bool
        let write: Bool
        if isLingering {
            (read, write) = (true, false)
        } else if session == nil {
            (read, write) = (!handshakeWantsWrite, handshakeWantsWrite)
        } else {
            write = !unsent.isEmpty
            read = mayTake && !sawEnd && session?.wantsInput == true
            if loop.budget.isUsedUp { loop.awaitMemory(self) }
        }
        guard read != watchesRead || write != watchesWrite else { return }
        (watchesRead, watchesWrite) = (read, write)
        loop.changeWatch(self, read: read, write: write)
    }
}
