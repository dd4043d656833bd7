import OpenSSL

/// The loop that an application answers to. Use it on its own thread only.
///
/// A turn: wait for events; read, and hand every complete request to the application; run timers
/// and what other threads posted; ``HTTPApplication/endOfTurn(_:)`` once; buffer some answers;
/// ``HTTPApplication/beforeAnswers(_:)`` once; then send, with one write for each 64 KiB of a
/// connection. Background work is a turn of its own.
package final class HTTPLoop {
    /// Names a timer.
    package struct TimerID: Hashable, Sendable { let number: UInt64 }

    /// What is done at a time, and whose work that is; nobody's is the server's own.
    private struct Timer {
        let owner: (any HTTPApplication)?
        let body: (HTTPLoop) -> Void
    }

    /// An application on its way through other threads.
    private final class Owner: @unchecked Sendable {
        // Holds: only the loop's thread looks at it.
        weak let application: (any HTTPApplication)?
        init(_ application: any HTTPApplication) { self.application = application }
    }

    let limits: HTTPLimits
    private let configuration: HTTPServerConfiguration
    var applications: ApplicationLedger
    private let wakeup: Wakeup
    private var poller: Poller
    private var listeners: [Listener]
    private var isAccepting = true

    private var connections = ConnectionTable()
    /// What all connections hold.
    var budget: MemoryBudget
    /// Slots of connections that are not read until memory is free.
    private var awaitingMemory: Set<Int> = []

    private var timers = TimerQueue<Timer>()
    private(set) var nowNanoseconds: Int64
    private var date = DateField()
    /// That of the application which was last asked for a time of its own.
    private var ownDate = DateField()

    private var touched: [Connection] = []
    private var againList: [Connection] = []
    /// Requests of this turn.
    var requestsTaken = 0
    /// When the application does background work although there is something else to do.
    private var idleDue: Int64 = 0
    /// When what is left is cut; nil while serving.
    private var drainEnd: Int64?
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)

    private static let listenerData = UInt64(UInt32.max)
    private static let wakeupData = UInt64(UInt32.max) - 1
    /// Connections taken in one turn from one socket.
    private static let acceptsPerTurnMax = 128
    /// How long a turn goes on taking requests before it commits and answers.
    private static let gatheringNanosecondsMax: Int64 = 4_000_000
    /// How long background work waits for a turn that has nothing else to do.
    private static let idleWaitNanosecondsMax: Int64 = 20_000_000
    /// About how much is buffered before the application is waited for.
    private static let earlyBytesMax = 1 << 20
    /// How long accepting rests when the system has no descriptor left.
    private static let acceptPause: Duration = .milliseconds(100)

    init(
        _ configuration: HTTPServerConfiguration, wakeup: Wakeup, listeners: [Listener],
        _ application: any HTTPApplication
    ) {
        guard let poller = Poller() else {
            preconditionFailure("no file descriptor is left for epoll")
        }
        self.poller = poller
        self.configuration = configuration
        self.wakeup = wakeup
        self.listeners = listeners
        applications = ApplicationLedger(application)
        limits = configuration.limits.leavingFiles(of: FileLimit.raised())
        budget = MemoryBudget(bytesMax: configuration.limits.memoryBytesMax)
        nowNanoseconds = MonotonicTime.now()
        date.update(configuration.unixSeconds())
    }

    // MARK: For applications

    /// Monotonic time, from an arbitrary start; taken once a turn.
    package var now: Duration { .nanoseconds(nowNanoseconds) }

    /// How many clients are connected.
    package var openConnections: Int { connections.count }

    /// Bytes of requests and answers that are kept for clients; see ``MemoryBudget``.
    package var bytesHeld: Int { budget.used }

    /// Counts bytes of bodies in the ``MemoryBudget`` that wait elsewhere, such as for a disk; below 0 when
    /// they wait no more.
    package func hold(_ bytes: Int) { budget.change(from: 0, to: bytes) }

    /// Answers an exchange that was put off. False when its client has gone.
    @discardableResult
    package func respond(to exchange: ExchangeID, _ response: HTTPResponse) -> Bool {
        commitTurn()
        guard let connection = connections[exchange], !connection.isCut,
            connection.deliver(
                owned(response, by: applications.current), to: exchange.stream, self)
        else { return false }
        connection.noteAnswer(of: applications.current)
        touch(connection)
        return true
    }

    /// Whether the client of an exchange that was put off still has its side of the connection open. One
    /// that has ended it has mostly gone: what can be handed out only once is not for it.
    package func isListening(_ exchange: ExchangeID) -> Bool {
        guard let connection = connections[exchange], !connection.isCut else { return false }
        return connection.isListening(for: exchange.stream)
    }

    /// Closes the connection of an exchange without an answer; see ``HTTPAnswer/cut``.
    @discardableResult
    package func cut(_ exchange: ExchangeID) -> Bool {
        commitTurn()
        guard let connection = connections[exchange],
            connection.isWaiting(for: exchange.stream)
        else { return false }
        connection.isCut = true
        touch(connection)
        return true
    }

    /// Has an exchange's ``HTTPBodySource`` asked again that said that it waits, or gives more to its
    /// ``HTTPBodySink`` that wanted nothing for a while. False when its client has gone.
    @discardableResult
    package func resumeBody(of exchange: ExchangeID) -> Bool {
        guard let connection = connections[exchange] else { return false }
        connection.resumeBody(of: exchange.stream)
        touch(connection)
        return true
    }

    /// Runs what it is given on the loop; may be used from any thread, and does nothing once the loop
    /// has ended.
    package var post: @Sendable (@escaping @Sendable (HTTPLoop) -> Void) -> Void {
        let wakeup = wakeup
        let owner = Owner(applications.current)
        return { body in
            wakeup.post { loop in
                guard let application = owner.application else { return body(loop) }
                loop.applications.mayIdle(application)
                loop.run(as: application) { body(loop) }
            }
        }
    }

    /// Has this turn end with ``HTTPApplication/endOfTurn(_:)`` although nothing is answered in it.
    package func commitTurn() { applications.work(applications.current) }

    /// Ends an application that stood behind another: its timers are forgotten, who waits for its answer gets
    /// `response`, and answers that it is still making are cut.
    package func end(_ application: any HTTPApplication, with response: HTTPResponse) {
        applications.remove(application)
        timers.removeAll { $0.owner === application }
        for connection in connections.all {
            connection.end(application, with: response, self)
            touch(connection)
        }
    }

    /// Runs `body` on the loop after a delay.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping (HTTPLoop) -> Void) -> TimerID {
        let time = nowNanoseconds.addingReportingOverflow(max(0, delay.nanoseconds))
        return TimerID(
            number: timers.add(
                at: time.overflow ? .max : time.partialValue,
                Timer(owner: applications.current, body: body)))
    }

    /// Forgets a timer that has not fired.
    package func cancel(_ timer: TimerID) { timers.remove(timer.number) }

    // MARK: For connections

    var isDraining: Bool { drainEnd != nil }
    var deadlines: HTTPDeadlines { configuration.deadlines }

    /// The `date` of an application's answers.
    func date(of application: (any HTTPApplication)?) -> DateField {
        guard let seconds = application?.unixSeconds else { return date }
        ownDate.update(seconds)
        return ownDate
    }

    /// Sees to it that a connection is flushed at the end of the turn.
    func touch(_ connection: Connection) {
        guard !connection.isTouched else { return }
        connection.isTouched = true
        touched.append(connection)
    }

    /// Sees to it that a connection is read in the next turn, whatever its socket says.
    func again(_ connection: Connection) {
        guard !connection.isAgain else { return }
        connection.isAgain = true
        againList.append(connection)
    }

    /// Sees to it that a connection is read again once the budget is not used up any more.
    func awaitMemory(_ connection: Connection) { awaitingMemory.insert(connection.slot) }

    /// Lends the buffer that all connections read into.
    func withScratch(_ body: (inout [UInt8]) -> Void) {
        var mine: [UInt8] = []
        swap(&mine, &scratch)
        body(&mine)
        swap(&mine, &scratch)
    }

    /// Calls ``Connection/handleTimer(_:)`` at a time; returns the timer's number.
    func setTimer(of connection: Connection, at time: Int64) -> UInt64 {
        let data = connection.pollerData
        return timers.add(
            at: time,
            Timer(owner: nil) { $0.connections[pollerData: data]?.handleTimer($0) })
    }

    func changeWatch(_ connection: Connection, read: Bool, write: Bool) {
        poller.change(
            connection.descriptor, data: connection.pollerData, read: read, write: write)
    }

    // MARK: The turn

    /// Serves until stopped and drained.
    func run() {
        poller.add(wakeup.descriptor, data: Self.wakeupData, read: true, write: false)
        for listener in listeners {
            poller.add(listener.descriptor, data: Self.listenerData, read: true, write: false)
        }
        applications.first.started(self)
        // What sinks undo when the last connections are cut is committed too.
        while !(isDraining && connections.count == 0 && !applications.hasWork) { turn() }
    }

    private func turn() {
        let eventCount = poller.wait(milliseconds: waitMilliseconds())
        nowNanoseconds = MonotonicTime.now()
        let isFree =
            eventCount == 0 && againList.isEmpty && (timers.nextTime ?? .max) > nowNanoseconds
        if applications.mayIdle, isFree || nowNanoseconds >= idleDue { workInBackground() }
        let again = againList
        againList.removeAll(keepingCapacity: true)
        for connection in again {
            connection.isAgain = false
            if connections.contains(connection) { connection.handleAgain(self) }
        }
        for index in 0..<eventCount { handle(poller.event(index)) }
        gatherMore()
        runTimers()
        checkDrain()
        endTurn()
        // Last, so that the next turn does not wait for an event before it goes on with them.
        if !budget.isUsedUp { resumeReading() }
    }

    /// Does background work in a turn of its own: where that cannot be committed, no request fails with it.
    private func workInBackground() {
        // What was done while the last answers were sent is not for it either.
        endTurn()
        guard !applications.hasWork, let application = applications.nextIdle() else { return }
        if run(as: application, { application.idle(self) }) { applications.mayIdle(application) }
        endTurn()
        nowNanoseconds = MonotonicTime.now()
        idleDue = nowNanoseconds + Self.idleWaitNanosecondsMax
    }

    private func endTurn() {
        commit()
        flushTouched()
    }

    private func resumeReading() {
        for slot in awaitingMemory {
            if let connection = connections[slot: slot] { again(connection) }
        }
        awaitingMemory = []
    }

    /// Takes the requests that have come meanwhile, so that one commit covers them too.
    private func gatherMore() {
        var taken = 0
        // Other events come again and again until the turn ends, so requests alone go on.
        while requestsTaken > taken,
            MonotonicTime.now() - nowNanoseconds < Self.gatheringNanosecondsMax
        {
            taken = requestsTaken
            for index in 0..<poller.wait(milliseconds: 0) { handle(poller.event(index)) }
        }
        requestsTaken = 0
    }

    private func handle(_ event: Poller.Event) {
        switch event.data & 0xFFFF_FFFF {
        case Self.listenerData: acceptAll()
        case Self.wakeupData:
            let bodies = wakeup.takeBodies()
            if !bodies.isEmpty { applications.mayIdle(applications.first) }
            for body in bodies { body(self) }
            if let drain = wakeup.takeDrain() { beginDrain(drain) }
        default:
            guard let connection = connections[pollerData: event.data] else { return }
            if event.isReadable { connection.handleReadable(self) }
            if event.isWritable { connection.handleWritable(self) }
            if event.isBroken, !event.isReadable { connection.handleBroken(self) }
        }
    }

    private func runTimers() {
        // Timers set by timers wait for the next turn, so that others are served in between.
        let last = timers.lastNumber
        while let timer = timers.popDue(at: nowNanoseconds, upTo: last) {
            let owner = timer.owner ?? applications.first
            applications.mayIdle(owner)
            run(as: owner) { timer.body(self) }
        }
    }

    private func commit() {
        guard applications.hasWork else { return }
        date.update(configuration.unixSeconds())
        var stored: [any HTTPApplication] = []
        for application in applications.takeWorking() {
            do {
                try run(as: application) { try application.endOfTurn(self) }
                stored.append(application)
            } catch {
                let failure = application.failure(error)
                for connection in touched {
                    connection.failAnswers(of: application, with: failure)
                }
            }
        }
        guard !stored.isEmpty else { return }
        bufferSomeAnswers()
        for application in stored {
            do {
                try run(as: application) { try application.beforeAnswers(self) }
            } catch {
                for connection in touched { connection.abandonAnswers(of: application) }
            }
        }
    }

    /// Puts the answers to half of the clients into their buffers before the application is waited
    /// for. The others' follow while the first read theirs, so that neither side waits.
    private func bufferSomeAnswers() {
        var room = Self.earlyBytesMax
        for connection in touched.prefix((touched.count + 1) / 2)
        where connections.contains(connection) && room > 0 {
            room -= connection.bufferAnswers(self)
        }
    }

    private func flushTouched() {
        // Flushing may touch connections anew; they are flushed in this turn as well.
        var index = 0
        while index < touched.count {
            let connection = touched[index]
            index += 1
            connection.isTouched = false
            if connections.contains(connection), !connection.flush(self) { forget(connection) }
        }
        touched.removeAll(keepingCapacity: true)
    }

    private func waitMilliseconds() -> Int32 {
        guard againList.isEmpty, !applications.mayIdle, !applications.hasWork else { return 0 }
        let next = min(timers.nextTime ?? .max, drainEnd ?? .max)
        guard next < .max else { return -1 }
        let rest = next - MonotonicTime.now()
        return rest <= 0 ? 0 : Int32(min((rest + 999_999) / 1_000_000, 3_600_000))
    }

    // MARK: Connections

    private func acceptAll() {
        for listener in listeners where isAccepting {
            for _ in 0..<Self.acceptsPerTurnMax {
                guard connections.count < limits.connectionsMax else { return pauseAccepting() }
                switch Accepted(from: listener) {
                case .none: break
                case .exhausted:
                    pauseAccepting()
                    schedule(after: Self.acceptPause) { $0.resumeAccepting() }
                    return
                case .aborted: continue
                case .socket(let descriptor):
                    open(descriptor)
                    continue
                }
                break
            }
        }
    }

    private func open(_ descriptor: Int32) {
        let transport: Transport
        do throws(OpenSSLError) {
            transport = try Transport(descriptor, configuration.tls)
        } catch {
            return
        }
        let connection = connections.add(transport)
        poller.add(descriptor, data: connection.pollerData, read: true, write: false)
        // The first bytes are often there already; without TLS this also starts the session.
        again(connection)
    }

    private func forget(_ connection: Connection) {
        poller.remove(connection.descriptor)
        if let timer = connection.timer { timers.remove(timer.number) }
        awaitingMemory.remove(connection.slot)
        connections.remove(connection)
        connection.end(self)
        resumeAccepting()
    }

    private func pauseAccepting() {
        guard isAccepting else { return }
        isAccepting = false
        for listener in listeners {
            poller.change(listener.descriptor, data: Self.listenerData, read: false, write: false)
        }
    }

    private func resumeAccepting() {
        guard !isAccepting, connections.count < limits.connectionsMax else { return }
        isAccepting = true
        for listener in listeners {
            poller.change(listener.descriptor, data: Self.listenerData, read: true, write: false)
        }
    }

    // MARK: Drain

    private func beginDrain(_ nanoseconds: Int64) {
        let end = nowNanoseconds.addingReportingOverflow(nanoseconds)
        let wish = end.overflow ? Int64.max : end.partialValue
        if let drainEnd {
            self.drainEnd = min(drainEnd, wish)
            return
        }
        drainEnd = wish
        for listener in listeners { poller.remove(listener.descriptor) }
        listeners = []
        let application = applications.first
        run(as: application) { application.willStop(self) }
        for connection in connections.all { connection.beginDrain(self) }
    }

    private func checkDrain() {
        guard let drainEnd, nowNanoseconds >= drainEnd else { return }
        for connection in connections.all {
            connection.isCut = true
            touch(connection)
        }
    }
}
