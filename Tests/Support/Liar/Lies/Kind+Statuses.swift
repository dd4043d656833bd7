extension Kind {
    /// Statuses with which an answer may seem to say that nothing is there.
    static let hidingStatuses: [Kind] = [
        status(204) { _ in Answer(204) },
        status(206) { answer in answer },
        Kind("206 with the first half of the items") { exchange in
            let saying = exchange.changingItems { $0 = Array($0.prefix($0.count / 2)) }
            guard var answer = saying.answer else { return saying }
            answer.status = 206
            return .answer(answer)
        },
        status(304) { _ in Answer(304) },
        refusal(404, "NOT_FOUND"), refusal(404, "ZONE_NOT_FOUND"),
        status(404, "with a page") { _ in Answer(404, page: "Not Found") },
        status(410, "with a page") { _ in Answer(410, page: "Gone") },
        refusal(200, "NOT_FOUND"), refusal(200, "ZONE_NOT_FOUND"),
    ]

    /// Statuses that say that something is wrong.
    static let strangeStatuses: [Kind] = [
        status(202) { answer in answer },
        status(301) { _ in Answer(301, headers: [elsewhere]) },
        status(302, "with a body of success") { answer in
            Answer(302, headers: [elsewhere], body: answer.body)
        },
        status(307) { _ in Answer(307, headers: [elsewhere]) },
        status(400, "with a page") { _ in Answer(400, page: "Bad Request") },
        status(401, "with a page") { _ in Answer(401, page: "Who are you?") },
        status(403, "with a page") { _ in Answer(403, page: "Blocked by policy") },
        status(407, "with a page") { _ in Answer(407, page: "Proxy login") },
        status(413, "with a page") { _ in Answer(413, page: "Too large") },
        status(421, "with a page") { _ in Answer(421, page: "Misdirected") },
        status(429) { _ in Answer(429) },
        status(429, "and an hour to wait") { _ in
            Answer(429, headers: [.init(name: "Retry-After", value: "3600")])
        },
        status(500, "with a body of success") { answer in
            var answer = answer
            answer.status = 500
            return answer
        },
        status(502, "with a page") { _ in Answer(502, page: "Bad Gateway") },
        status(503, "with a body of success") { answer in
            var answer = answer
            answer.status = 503
            return answer
        },
        status(503, "and a negative wait") { _ in
            Answer(503, headers: [.init(name: "Retry-After", value: "-5")])
        },
        status(599) { _ in Answer(599) },
        refusal(400, "BAD_REQUEST"), refusal(401, "AUTHENTICATION_FAILED"),
        refusal(403, "ACCESS_DENIED"), refusal(409, "CONFLICT"), refusal(409, "EXISTS"),
        refusal(412, "VALIDATING_REFERENCE_ERROR"), refusal(413, "QUOTA_EXCEEDED"),
        refusal(421, "AUTHENTICATION_REQUIRED"), refusal(400, "ATOMIC_ERROR"),
        refusal(500, "INTERNAL_ERROR"), refusal(503, "TRY_AGAIN_LATER"),
        refusal(429, "THROTTLED"), refusal(400, "SOMETHING_NEW"), refusal(200, "SOMETHING_NEW"),
        refusal(200, "ACCESS_DENIED"), refusal(200, "INTERNAL_ERROR"),
    ]

    private static let elsewhere = Request.Header(
        name: "Location", value: "https://localhost:1/elsewhere")

    /// The request is carried out, and something else answered.
    private static func status(
        _ status: Int, _ remark: String = "", _ change: @escaping @Sendable (Answer) -> Answer
    ) -> Kind {
        Kind(remark.isEmpty ? "\(status)" : "\(status) \(remark)") { exchange in
            let saying = exchange.truth()
            guard let answer = saying.answer else { return saying }
            var changed = change(answer)
            if changed.status == 200 { changed.status = status }
            return .answer(changed)
        }
    }

    /// The request is not carried out.
    private static func refusal(_ status: Int, _ code: String) -> Kind {
        Kind("\(status) \(code)") { _ in
            .answer(Answer(status, ["serverErrorCode": .string(code), "reason": "made up"]))
        }
    }
}
