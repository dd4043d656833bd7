import Basics
import CloudWire
import HTTPServer
import JSON
import OpenSSL

extension MockApplication {
    /// Has the checker look at a request once its turn is stored. Its entry is the journal's newest.
    ///
    /// - Parameters:
    ///   - time: When it came, by the server's clock.
    ///   - began: The same by a clock that nobody moves.
    ///   - delay: How much later than it was ready the answer is sent.
    func watch(
        _ watched: WatchedExchange, _ request: HTTPRequest, isLost: Bool, time: Timestamp,
        began: Int64, delay: Duration
    ) {
        let outcome: ClientExchange.Outcome =
            if isLost {
                .lost
            } else if let failure = watched.failure {
                .failure(failure)
            } else {
                watched.reply.map { .reply($0) } ?? .lost
            }
        var exchange = ClientExchange(
            number: journal.total, client: watched.client, address: watched.route?.address,
            command: watched.command, outcome: outcome, at: time)
        exchange.arrivedUptime = began
        exchange.answered = time.advanced(by: delay)
        exchange.answeredUptime = MonotonicTime.now() + Int64(delay / .nanoseconds(1))
        exchange.digest = Self.digest(of: request)
        exchange.remarks = remarks(on: request, watched)
        watch.note(exchange)
    }

    /// Of all that a request says, but the tokens in its query, which change.
    private static func digest(of request: HTTPRequest) -> UInt64 {
        SHA256.hash(Array("\(request.method) \(request.path)\n".utf8) + request.body)
            .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func remarks(
        on request: HTTPRequest, _ watched: WatchedExchange
    ) -> [RequestRemark] {
        if let dead = watched.dead {
            // Every browser asks for it by itself.
            guard request.path != "/favicon.ico" else { return [] }
            return [.unknownEndpoint(String(request.path.prefix(200)), nearest: dead.nearest)]
        }
        guard let operation = watched.route?.operation, !request.body.isEmpty,
            let shape = operation.facts.request,
            let document = try? JSONDocument.parse(
                request.body, limits: JSONLimits(bytesMax: WireLimits.requestBytesMax))
        else { return [] }
        return RequestText(itemsMax: store.options.operationsMax)
            .remarks(on: document.root, shape)
    }
}

extension WireRouteError {
    /// The operation that may have been meant.
    fileprivate var nearest: String? {
        guard case .unknownOperation(let name) = self else { return nil }
        return NearestName.closest(to: name, among: WireOperation.allCases.map(\.rawValue))
    }
}
