import CloudWire
import HTTPServer

/// Requests that wait for a push. Each is answered once: with the next push of its device, without one
/// when its time is up, or when newer ones of the same device take its place.
struct CourierPolls {
    private struct Poll {
        let exchange: ExchangeID
        let timer: PacedTimers.ID
        let headers: HTTPHeaders
    }

    /// The path of the web courier.
    static let path = "/courier"

    /// Where the pushes of a device can be waited for.
    static func url(of token: String, at base: String) -> String {
        base + path + "?tok=" + WireQuery.encoded(token)
    }

    private var waiting: [String: [Poll]] = [:]
    private(set) var count = 0

    /// Whether another can wait.
    var hasRoom: Bool { count < WireLimits.pollsMax }

    /// How many wait for a device's pushes.
    func count(of token: String) -> Int { waiting[token]?.count ?? 0 }

    /// Lets a request wait.
    mutating func add(
        _ exchange: ExchangeID, for token: String, _ headers: HTTPHeaders, _ wait: Duration,
        _ application: MockApplication, _ loop: HTTPLoop
    ) {
        if count(of: token) >= WireLimits.pollsOfDeviceMax {
            answerFirst(of: token, with: [], application.timers, loop)
        }
        let timer = application.timers.schedule(after: wait, loop) { loop in
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
        of token: String, with body: @autoclosure () -> [UInt8], _ timers: PacedTimers,
        _ loop: HTTPLoop
    ) -> Bool {
        while let poll = take(at: 0, of: token) {
            timers.cancel(poll.timer, loop)
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
            let poll = take(at: index, of: token)
        else { return }
        loop.respond(to: exchange, Self.answer([], poll.headers))
    }

    /// Has a request wait no longer; nil where there is none.
    private mutating func take(at index: Int, of token: String) -> Poll? {
        guard var polls = waiting[token], polls.indices.contains(index) else { return nil }
        let poll = polls.remove(at: index)
        waiting[token] = polls.isEmpty ? nil : polls
        count -= 1
        return poll
    }

    /// The answer with a push, or without one. What it says was stored in an earlier turn or in this
    /// one, so that it stands whatever becomes of others.
    static func answer(_ body: [UInt8], _ headers: HTTPHeaders) -> HTTPResponse {
        var response = HTTPResponse(status: 200, headers: headers, body: body)
        response.survivesRollback = true
        return response
    }
}
