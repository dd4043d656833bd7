import AsyncOperations
import Foundation
import HTTPServer
import OpenSSL
import Synchronization

/// Lets the first commit fail, or the first wait for one.
final class CommitScript: Sendable {
    enum Step { case commit, wait }
    private let step: Step
    private let hasFailed = Atomic(false)

    init(failing step: Step = .commit) { self.step = step }

    func nextFails(_ step: Step) -> Bool {
        step == self.step && !hasFailed.exchange(true, ordering: .relaxed)
    }
}

/// An application made of closures, which notes what happened in which order.
final class ScriptedApplication: HTTPApplication {
    typealias Handler = (HTTPRequest, ExchangeID, HTTPLoop) -> HTTPAnswer
    struct CommitFailure: Error {}

    let handler: Handler
    let log: Locked<[String]>
    let commits: CommitScript?

    init(
        log: Locked<[String]>, commits: CommitScript? = nil,
        _ handler: @escaping Handler
    ) {
        self.log = log
        self.commits = commits
        self.handler = handler
    }

    func handle(_ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop) -> HTTPAnswer {
        log.withLock { $0.append("\(request.method) \(request.target)") }
        return handler(request, exchange, loop)
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

/// A server on a thread of its own, on a free port of both loopback addresses.
final class TestServer: Sendable {
    let server: HTTPServer
    let log = Locked<[String]>([])
    private let thread: DedicatedThread

    /// The moment of every `date` header.
    static let unixSeconds: Int64 = 784_111_777

    init(
        tls: TLSContext? = nil, addresses: [String] = ["127.0.0.1"],
        limits: HTTPLimits = HTTPLimits(), deadlines: HTTPDeadlines = HTTPDeadlines(),
        commits: CommitScript? = nil,
        _ handler: @escaping @Sendable (HTTPRequest, ExchangeID, HTTPLoop) -> HTTPAnswer = {
            _, _, _ in
            .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
    ) throws {
        var configuration = HTTPServerConfiguration(tls: tls) { Self.unixSeconds }
        configuration.addresses = addresses
        configuration.limits = limits
        configuration.deadlines = deadlines
        let server = try HTTPServer(configuration)
        let log = log
        self.server = server
        thread = DedicatedThread(label: "server") {
            server.run(ScriptedApplication(log: log, commits: commits, handler))
        }
    }

    var port: UInt16 { server.port }

    /// How many clients the loop counts.
    func openConnections() -> Int {
        let count = Locked<Int?>(nil)
        server.post { loop in
            let open = loop.openConnections
            count.withLock { $0 = open }
        }
        while true {
            if let count = count.withLock({ $0 }) { return count }
            sched_yield()
        }
    }

    /// Stops the server and waits until it has ended.
    func end(drain: Duration = .zero) {
        server.stop(drain: drain)
        thread.join()
    }

    deinit { server.stop(drain: .zero) }
}
