import OpenSSL

/// One client: its socket, what it speaks, what is still to be sent, and what is waited for.
final class Connection {
    let slot: Int
    let number: UInt64
    private let transport: Transport
    private var session: (any WireSession)?
    /// What the socket did not take yet, and how much of it has gone.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    /// How often everything was taken; see ``ConnectionPhase/writing(_:)``.
    private var writesDone: UInt64 = 0

    private(set) var phase: ConnectionPhase = .handshake
    /// When the client is cut unless the phase has changed; nil while nothing is asked of it.
    var deadline: Int64?
    /// The loop's timer for that, and when it fires.
    var timer: (time: Int64, number: UInt64)?
    /// Whether it is in the loop's list of connections to flush.
    var isTouched = false
    /// Whether it is in the loop's list of connections to read again.
    var isAgain = false
    /// To be closed without further ado once the turn's answers are sent.
    var isCut = false
    /// Nothing may be sent any more.
    private var isAbandoned = false
    private var isLingering = false
    private var sawEnd = false
    private var handshakeWantsWrite = false
    /// Reading stopped before the socket, or TLS, had nothing more to give.
    private var stoppedReading = false
    private var watchesRead = true
    private var watchesWrite = false

    /// Bytes read in one turn before others have theirs.
    private static let bytesPerTurnMax = 256 << 10

    init(slot: Int, number: UInt64, transport: consuming Transport) {
        self.slot = slot
        self.number = number
        self.transport = transport
    }

    var descriptor: Int32 { transport.descriptor }
    /// What epoll hands back: the slot, and enough of the number to tell a successor apart.
    var pollerData: UInt64 { UInt64(slot) | (number & 0xFFFF_FFFF) << 32 }

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
        var budget = Self.bytesPerTurnMax
        stoppedReading = false
        loop.withScratch { scratch in
            while !isCut, unsent.isEmpty, session?.wantsInput == true {
                switch transport.read(into: &scratch) {
                case .done(let count):
                    // What is waited for may change without a request.
                    loop.touch(self)
                    session?.receive(
                        scratch.span.extracting(0..<count), on: self, loop)
                    budget -= count
                    guard budget > 0 else {
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

    /// The deadline of the phase is over.
    func handleExpiry(_ loop: HTTPLoop) {
        isCut = true
        loop.touch(self)
    }

    /// Reads on where reading was put off although the socket may stay silent.
    func handleAgain(_ loop: HTTPLoop) {
        if session?.canResume == true { session?.resume(on: self, loop) }
        handleReadable(loop)
    }

    private func shakeHands(_ loop: HTTPLoop) -> Bool {
        switch transport.handshake() {
        case .done:
            handshakeWantsWrite = false
            if transport.choseHTTP2() {
                session = HTTP2Session(limits: loop.limits, now: loop.nowNanoseconds)
            } else {
                session = HTTP1Session(limits: loop.limits)
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

    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool {
        session?.deliver(response, to: stream) ?? false
    }

    func failAnswers(with response: HTTPResponse) { session?.failAnswers(with: response) }

    /// Finishes what was begun and takes nothing new.
    func beginDrain(_ loop: HTTPLoop) {
        if let session {
            // What has arrived already is still served.
            handleReadable(loop)
            session.beginDrain(of: self, loop)
        } else {
            isCut = true
        }
        loop.touch(self)
    }

    /// Writes down what is to be sent; says how many bytes that are.
    func writeDown(_ loop: HTTPLoop) -> Int {
        guard unsent.isEmpty, let session else { return 0 }
        var buffer: [UInt8] = []
        _ = session.gather(into: &buffer, loop)
        unsent = buffer
        unsentStart = 0
        return unsent.count
    }

    /// Forgets what was written down; the connection is over at the next flush.
    func abandon() {
        unsent = []
        isAbandoned = true
    }

    /// Sends what there is to send, then settles what to wait for. False when the connection is
    /// over and is to be forgotten.
    func flush(_ loop: HTTPLoop) -> Bool {
        guard !isAbandoned, send(loop), !isCut else { return false }
        if let session, session.isFinished, unsent.isEmpty, !isLingering {
            transport.endWriting()
            guard session.needsLinger, !sawEnd else { return false }
            isLingering = true
        }
        if !isLingering,
            session?.canResume == true
                || (stoppedReading && session?.wantsInput == true && transport.hasPending())
        {
            loop.again(self)
        }
        settlePhase(loop)
        watch(loop)
        return true
    }

    private func send(_ loop: HTTPLoop) -> Bool {
        if !unsent.isEmpty {
            switch transport.write(unsent, from: &unsentStart) {
            case .done:
                unsent = []
                unsentStart = 0
                writesDone += 1
            case .wantsWrite, .wantsRead: return true
            case .closed, .failed: return false
            }
        }
        guard let session else { return true }
        return loop.withOutput { output in
            while true {
                output.removeAll(keepingCapacity: true)
                let hasMore = session.gather(into: &output, loop)
                guard !output.isEmpty else { return true }
                var start = 0
                switch transport.write(output, from: &start) {
                case .done: break
                case .wantsWrite, .wantsRead:
                    unsent = Array(output[start...])
                    return true
                case .closed, .failed: return false
                }
                guard hasMore else { return true }
            }
        }
    }

    private func settlePhase(_ loop: HTTPLoop) {
        let next: ConnectionPhase =
            if isLingering {
                .lingering
            } else if !unsent.isEmpty {
                .writing(writesDone)
            } else {
                session?.phase ?? .handshake
            }
        guard next != phase else { return }
        phase = next
        loop.armDeadline(of: self)
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
            read = !write && !sawEnd && session?.wantsInput == true
        }
        guard read != watchesRead || write != watchesWrite else { return }
        (watchesRead, watchesWrite) = (read, write)
        loop.changeWatch(self, read: read, write: write)
    }
}
