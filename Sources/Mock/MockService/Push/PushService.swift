import CloudModel
import CloudWire
package import HTTPServer
package import MockStore

/// The web courier: sends pushes to clients that wait for them with a device's push token, one in a response.
///
/// Each request is answered once: with the next push of its device, without one when its time is up, or when newer
/// requests of the same device take its place.
package final class PushService {
    private struct Poll {
        let exchange: ExchangeID
        let timer: PacedTimers.ID
        let headers: HTTPHeaders
    }

    package static let path = "/courier"

    /// The URL at which the pushes of a device can be waited for.
    static func url(of token: String, at base: String) -> String {
        base + path + "?tok=" + WireQuery.encoded(token)
    }

    private let store: MockStore
    private let responses: ResponseWriter
    private let timers: PacedTimers
    /// How long a request waits for a push; zero: not at all.
    private let wait: Duration
    private var waiting: [String: [Poll]] = [:]
    /// How many requests wait.
    package private(set) var count = 0

    package init(
        _ store: MockStore, _ responses: ResponseWriter, _ timers: PacedTimers, wait: Duration
    ) {
        self.store = store
        self.responses = responses
        self.timers = timers
        self.wait = wait
    }

    /// How many requests wait for a device's pushes.
    package func count(of token: String) -> Int { waiting[token]?.count ?? 0 }

    /// `GET` or `POST /courier?tok=TOKEN`: the next push as JSON, or nothing after a while.
    package func respond(to request: HTTPRequest) -> RequestOutcome {
        guard ["GET", "POST"].contains(request.method) else {
            return refuse(
                request, CloudError(.badRequest, reason: "use GET or POST", httpStatus: 405),
                allow: "GET, POST, OPTIONS")
        }
        guard let token = WireQuery(request.query ?? "").pushToken, store.knows(pushToken: token)
        else {
            return refuse(
                request,
                CloudError(
                    .authenticationFailed,
                    reason: "the push token is unknown; create one with tokens/create",
                    rule: "courier-token"))
        }
        var headers: HTTPHeaders = [
            "content-type": "application/json; charset=UTF-8", "cache-control": "no-store",
        ]
        ResponseWriter.allowOrigin(request, &headers)
        if let push = store.nextPush(for: token) {
            store.noteDelivery(of: push)
            return .respond(Self.response(push.payload, headers), after: .zero)
        }
        guard wait > .zero else { return .respond(Self.response([], headers), after: .zero) }
        guard count < WireLimits.pollsMax else {
            return refuse(
                request,
                CloudError(
                    .tryAgainLater, reason: "too many requests wait for pushes",
                    retryAfter: .seconds(1), rule: "courier-wait"))
        }
        return .poll(token: token, headers)
    }

    private func refuse(
        _ request: HTTPRequest, _ error: CloudError, allow: String? = nil
    ) -> RequestOutcome {
        let wire = responses.write(error)
        return .respond(
            responses.response(wire, to: request, uuid: responses.latestUUID, allow: allow),
            after: .zero)
    }

    // MARK: - Waiting

    /// Has a request wait for a push.
    func hold(
        _ exchange: ExchangeID, for token: String, _ headers: HTTPHeaders, _ loop: HTTPLoop
    ) {
        if count(of: token) >= WireLimits.pollsOfDeviceMax {
            respondToFirst(of: token, with: [], loop)
        }
        let timer = timers.schedule(after: wait, loop) { [weak self] loop in
            self?.expire(exchange, of: token, loop)
        }
        waiting[token, default: []].append(
            Poll(exchange: exchange, timer: timer, headers: headers))
        count += 1
    }

    /// Sends the pushes that were queued by the batch that was committed.
    func deliver(_ loop: HTTPLoop) {
        for token in store.takeFreshPushTokens() {
            while count(of: token) > 0, let push = store.nextPush(for: token) {
                guard respondToFirst(of: token, with: push.payload, loop) else { break }
                store.noteDelivery(of: push)
            }
        }
    }

    /// Responds to the device's oldest request whose client is still connected.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    private func respondToFirst(
        of token: String, with body: @autoclosure () -> [UInt8], _ loop: HTTPLoop
    ) -> Bool {
        while let poll = take(at: 0, of: token) {
            timers.cancel(poll.timer, loop)
            // A push is sent once: not to a client that has disconnected.
            let isListening = loop.isListening(poll.exchange)
            let wasSent = loop.respond(
                to: poll.exchange, Self.response(isListening ? body() : [], poll.headers))
            if isListening, wasSent { return true }
        }
        return false
    }

    /// Responds to a request whose time is up.
    private func expire(_ exchange: ExchangeID, of token: String, _ loop: HTTPLoop) {
        guard let index = waiting[token]?.firstIndex(where: { $0.exchange == exchange }),
            let poll = take(at: index, of: token)
        else { return }
        loop.respond(to: exchange, Self.response([], poll.headers))
    }

    /// Has a request wait no longer; nil if it does not wait.
    private func take(at index: Int, of token: String) -> Poll? {
        guard var polls = waiting[token], polls.indices.contains(index) else { return nil }
        let poll = polls.remove(at: index)
        waiting[token] = polls.isEmpty ? nil : polls
        count -= 1
        return poll
    }

    /// The response with a push, or without one. The push was committed before or with this batch.
    private static func response(_ body: [UInt8], _ headers: HTTPHeaders) -> HTTPResponse {
        var response = HTTPResponse(status: 200, headers: headers, body: body)
        response.survivesRollback = true
        return response
    }
}

extension WireQuery {
    /// The push token in a URL of the web courier.
    fileprivate var pushToken: String? {
        self["tok"].map { token in String(token.map { $0 == " " ? "+" : $0 }) }
    }
}
