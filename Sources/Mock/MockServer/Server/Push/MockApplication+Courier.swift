import CloudModel
import CloudWire
import HTTPServer

/// The web courier: hands pushes to whoever waits for them with a device's push token, one in an answer.
extension MockApplication {
    /// `GET` or `POST /courier?tok=TOKEN`: the next push as JSON, or after a while nothing.
    func respondToCourier(_ request: HTTPRequest) -> RequestOutcome {
        func refuse(_ error: CloudError, allow: String? = nil) -> RequestOutcome {
            let wire = responses.write(error)
            return .respond(
                responses.response(
                    wire, to: request, uuid: responses.latestUUID, allow: allow),
                after: .zero)
        }
        guard ["GET", "POST"].contains(request.method) else {
            return refuse(
                CloudError(.badRequest, reason: "use GET or POST", httpStatus: 405),
                allow: "GET, POST, OPTIONS")
        }
        guard let token = WireQuery(request.query ?? "").pushToken, store.knows(pushToken: token)
        else {
            return refuse(
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
            return .respond(CourierPolls.answer(push.payload, headers), after: .zero)
        }
        guard configuration.courierWait > .zero else {
            return .respond(CourierPolls.answer([], headers), after: .zero)
        }
        guard polls.hasRoom else {
            return refuse(
                CloudError(
                    .tryAgainLater, reason: "too many requests wait for pushes",
                    retryAfter: .seconds(1), rule: "courier-wait"))
        }
        return .poll(token: token, headers)
    }

    /// Hands out what this turn has queued to those who wait for it.
    func deliverPushes(_ loop: HTTPLoop) {
        for token in store.takeFreshPushTokens() {
            while polls.count(of: token) > 0, let push = store.nextPush(for: token) {
                guard polls.answerFirst(of: token, with: push.payload, timers, loop) else { break }
                store.noteDelivery(of: push)
            }
        }
    }
}

extension WireQuery {
    /// The push token that a courier's address names.
    fileprivate var pushToken: String? {
        self["tok"].map { token in String(token.map { $0 == " " ? "+" : $0 }) }
    }
}
