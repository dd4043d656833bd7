import AsyncOperations
import Foundation
import HTTPServer
import OpenSSL
import Synchronization
import Testing

/// Lets the first commit fail, or the first wait for one, once it is armed.
final class CommitScript: Sendable {
    enum Step { case commit, wait }
    private let step: Step
    private let isArmed: Atomic<Bool>

    init(failing step: Step = .commit, isArmed: Bool = true) {
        self.step = step
        self.isArmed = Atomic(isArmed)
    }

    func arm() { isArmed.store(true, ordering: .relaxed) }

    func nextFails(_ step: Step) -> Bool {
        step == self.step && isArmed.exchange(false, ordering: .relaxed)
    }
}

/// An application made of closures, which notes what happened in which order.
final class ScriptedApplication: HTTPApplication {
    typealias Handler = (HTTPRequest, ExchangeID, HTTPLoop) -> HTTPAnswer
    /// Says what becomes of a body of this length.
    typealias BodyUser = (HTTPRequest, Int?, ExchangeID, HTTPLoop) -> HTTPBodyUse
    /// Does some background work, and says whether there is more.
    typealias Upkeep = (HTTPLoop) -> Bool
    struct CommitFailure: Error {}

    /// How long a body may be that nobody said anything about.
    static let bodyBytesMax = 2 << 20

    let handler: Handler
    let bodies: BodyUser?
    let log: Watched<[String]>
    /// How often it was asked for background work.
    let idles: Watched<Int>
    let commits: CommitScript?
    let upkeep: Upkeep?

    init(
        log: Watched<[String]>, idles: Watched<Int>, commits: CommitScript? = nil,
        bodies: BodyUser? = nil, upkeep: Upkeep? = nil, _ handler: @escaping Handler
    ) {
        self.log = log
        self.idles = idles
        self.commits = commits
        self.bodies = bodies
        self.upkeep = upkeep
        self.handler = handler
    }

    func use(
        ofBodyOf head: HTTPRequest, length: Int?, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPBodyUse {
        bodies?(head, length, exchange, loop) ?? .collect(bytesMax: Self.bodyBytesMax)
    }

    func handle(_ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop) -> HTTPAnswer {
        log.withLock { $0.append("\(request.method) \(request.target)") }
        return handler(request, exchange, loop)
    }

    func idle(_ loop: HTTPLoop) -> Bool {
        idles.withLock { $0 += 1 }
        return upkeep?(loop) ?? false
    }

    func endOfTurn(_ loop: HTTPLoop) throws {
        log.withLock { $0.append("commit") }
        if commits?.nextFails(.commit) == true { throw CommitFailure() }
    }

    func beforeAnswers(_ loop: HTTPLoop) throws {
        log.withLock { $0.append("wait") }
        if commits?.nextFails(.wait) == true { throw CommitFailure() }
    }
}

extension HTTPDeadlines {
    /// Longer than any test takes: where a client is cut, it was by a deadline that the test set.
    static var endless: HTTPDeadlines {
        var deadlines = HTTPDeadlines()
        let day = Duration.seconds(86_400)
        deadlines.handshake = day
        deadlines.headers = day
        deadlines.body = day
        deadlines.idle = day
        deadlines.write = day
        return deadlines
    }
}

/// A server on a thread of its own, on a free port of both loopback addresses.
final class TestServer: Sendable {
    let server: HTTPServer
    let log = Watched([] as [String])
    let idles = Watched(0)
    private let thread: DedicatedThread

    /// The moment of every `date` header.
    static let unixSeconds: Int64 = 784_111_777

    init(
        tls: TLSContext? = nil, addresses: [String] = ["127.0.0.1"],
        limits: HTTPLimits = HTTPLimits(), deadlines: HTTPDeadlines = .endless,
        commits: CommitScript? = nil,
        _ handler: @escaping @Sendable (HTTPRequest, ExchangeID, HTTPLoop) -> HTTPAnswer = {
            _, _, _ in
            .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        },
        bodies: (@Sendable (HTTPRequest, Int?, ExchangeID, HTTPLoop) -> HTTPBodyUse)? = nil,
        upkeep: (@Sendable (HTTPLoop) -> Bool)? = nil
    ) throws {
        var configuration = HTTPServerConfiguration(tls: tls) { Self.unixSeconds }
        configuration.addresses = addresses
        configuration.limits = limits
        configuration.deadlines = deadlines
        let server = try HTTPServer(configuration)
        let (log, idles) = (log, idles)
        self.server = server
        thread = DedicatedThread(label: "server") {
            server.run(
                ScriptedApplication(
                    log: log, idles: idles, commits: commits, bodies: bodies, upkeep: upkeep,
                    handler))
        }
    }

    var port: UInt16 { server.port }

    /// Waits until the application has been asked so often.
    func waitForRequests(_ count: Int = 1) -> Bool {
        log.wait { $0.count { $0.contains("/") } >= count }
    }

    /// Waits until so many clients are connected.
    func waitForConnections(_ count: Int) -> Bool {
        waitOnLoop { $0.openConnections == count }
    }

    /// Expects that the server ends its last connection, although the client keeps it: a client that reads nothing
    /// for a while gives up as well, which must not look like a cut.
    func expectNoConnection(
        while client: TestClient, _ place: SourceLocation = #_sourceLocation
    ) {
        withExtendedLifetime(client) {
            #expect(waitForConnections(0), sourceLocation: place)
        }
    }

    /// Bytes that the loop counts for all clients.
    func bytesHeld() -> Int {
        let held = Watched<Int?>(nil)
        server.post { loop in
            let bytes = loop.bytesHeld
            held.withLock { $0 = bytes }
        }
        _ = held.wait { $0 != nil }
        return held.withLock { $0 } ?? -1
    }

    /// Waits until something is true on the loop, which is looked at now and then.
    func waitOnLoop(_ isReached: @escaping @Sendable (HTTPLoop) -> Bool) -> Bool {
        let seen = Watched(false)
        @Sendable func look(_ loop: HTTPLoop) {
            if isReached(loop) {
                seen.withLock { $0 = true }
            } else {
                loop.schedule(after: .milliseconds(5), look)
            }
        }
        server.post(look)
        return seen.wait { $0 }
    }

    /// Waits until the loop has taken no request for a while, and says how many it took.
    func requestsWhenCalm() -> Int {
        let calm = Watched<Int?>(nil)
        let log = log
        @Sendable func look(_ loop: HTTPLoop, _ before: Int, _ times: Int) {
            let count = log.withLock { $0.count { $0.contains("/") } }
            if count == before, times == 20 { return calm.withLock { $0 = count } }
            loop.schedule(after: .milliseconds(20)) {
                look($0, count, count == before ? times + 1 : 0)
            }
        }
        server.post { look($0, -1, 0) }
        _ = calm.wait { $0 != nil }
        return calm.withLock { $0 } ?? -1
    }

    /// Stops the server and waits until it has ended.
    func end(drain: Duration = .zero) {
        server.stop(drain: drain)
        thread.join()
    }

    deinit { server.stop(drain: .zero) }
}
