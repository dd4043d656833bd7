import HTTPServer

/// Requests that wait for a push. Each is answered once: with the next push of its device, without one
/// when its time is up, or when newer ones of the same device take its place.
struct CourierPolls {
    /// Requests of one device that can wait; a client that has gone leaves some behind.
    static let pollsOfDeviceMax = 4
    /// Requests that can wait in all.
    static let pollsMax = 1000

    private struct Poll {
        let exchange: ExchangeID
        let timer: HTTPLoop.TimerID
        let headers: HTTPHeaders
    }

    private var waiting: [String: [Poll]] = [:]
    private(set) var count = 0

    /// Whether another can wait.
    var hasRoom: Bool { count < Self.pollsMax }

    /// How many wait for a device's pushes.
    func count(of token: String) -> Int { waiting[token]?.count ?? 0 }

    /// Lets a request wait.
    mutating func add(
        _ exchange: ExchangeID, for token: String, _ headers: HTTPHeaders, _ wait: Duration,
        _ application: MockApplication, _ loop: HTTPLoop
    ) {
        if count(of: token) >= Self.pollsOfDeviceMax { answerFirst(of: token, with: [], loop) }
        let timer = loop.schedule(after: wait) { loop in
            application.polls.end(exchange, of: token, loop)
        }
        waiting[token, default: []].append(
            Poll(exchange: exchange, timer: timer, headers: headers))
        count += 1
    }

    /// Answers the device's oldest request whose client is still there.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func answerFirst(
        of token: String, with body: @autoclosure () -> [UInt8], _ loop: HTTPLoop
    ) -> Bool {
        while let poll = waiting[token]?.first {
            waiting[token]?.removeFirst()
            if waiting[token]?.isEmpty == true { waiting[token] = nil }
            count -= 1
            loop.cancel(poll.timer)
            // A push is handed out once: not to who has gone.
            let isThere = loop.isListening(poll.exchange)
            let isAnswered = loop.respond(
                to: poll.exchange, Self.answer(isThere ? body() : [], poll.headers))
            if isThere, isAnswered { return true }
        }
        return false
    }

    /// Answers a request whose time is up.
    private mutating func end(_ exchange: ExchangeID, of token: String, _ loop: HTTPLoop) {
        guard let index = waiting[token]?.firstIndex(where: { $0.exchange == exchange }),
            let poll = waiting[token]?.remove(at: index)
        else { return }
        if waiting[token]?.isEmpty == true { waiting[token] = nil }
        count -= 1
        loop.respond(to: exchange, Self.answer([], poll.headers))
    }

    /// The answer with a push, or without one. What it says was stored in an earlier turn or in this
    /// one, so that it stands whatever becomes of others.
    static func answer(_ body: [UInt8], _ headers: HTTPHeaders) -> HTTPResponse {
        var response = HTTPResponse(status: 200, headers: headers, body: body)
        response.standsAlone = true
        return response
    }
}
