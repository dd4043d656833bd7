/// Why a database refused a request or one item of it.
///
/// Branch on `code`, never on `reason`.
package struct CloudError: Error, Sendable, Hashable {
    /// The kind of failure. The first fourteen are the service's own, spelled as the wire's
    /// `serverErrorCode`; the rest arise on our side of the wire.
    package enum Code: String, Sendable, CaseIterable {
        case accessDenied = "ACCESS_DENIED"
        case atomicError = "ATOMIC_ERROR"
        case authenticationFailed = "AUTHENTICATION_FAILED"
        case authenticationRequired = "AUTHENTICATION_REQUIRED"
        case badRequest = "BAD_REQUEST"
        case conflict = "CONFLICT"
        case exists = "EXISTS"
        case internalError = "INTERNAL_ERROR"
        case notFound = "NOT_FOUND"
        case quotaExceeded = "QUOTA_EXCEEDED"
        case throttled = "THROTTLED"
        case tryAgainLater = "TRY_AGAIN_LATER"
        case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
        case zoneNotFound = "ZONE_NOT_FOUND"
        /// A code we do not know, or none at all with a failing HTTP status.
        case unknown = "UNKNOWN"
        /// Nothing was sent: no connection, name not resolved, connection timed out.
        case networkFailure = "NETWORK_FAILURE"
        /// The request may have been carried out: the answer was lost, cut or late.
        case responseLost = "RESPONSE_LOST"
        /// The server's certificate is not trusted or does not name the host.
        case certificateUntrusted = "CERTIFICATE_UNTRUSTED"
        /// An answer that is not what the service sends: not JSON, or a wrong shape.
        case unexpectedResponse = "UNEXPECTED_RESPONSE"
        /// An answer with more bytes or values than are read, however small the page asked for.
        case answerTooLarge = "ANSWER_TOO_LARGE"
        /// The task was cancelled.
        case cancelled = "CANCELLED"

        /// Whether the code came from the service rather than from our side of the wire.
        package var isServiceCode: Bool {
            switch self {
            case .accessDenied, .atomicError, .authenticationFailed, .authenticationRequired,
                .badRequest, .conflict, .exists, .internalError, .notFound, .quotaExceeded,
                .throttled, .tryAgainLater, .validatingReferenceError, .zoneNotFound:
                true
            case .unknown, .networkFailure, .responseLost, .certificateUntrusted,
                .unexpectedResponse, .answerTooLarge, .cancelled:
                false
            }
        }

        /// The HTTP status of a whole-request failure with this code; nil for our own codes.
        package var httpStatus: Int? {
            switch self {
            case .accessDenied: 403
            case .atomicError, .badRequest: 400
            case .authenticationFailed: 401
            case .authenticationRequired: 421
            case .conflict, .exists: 409
            case .internalError: 500
            case .notFound, .zoneNotFound: 404
            case .quotaExceeded: 413
            case .throttled: 429
            case .tryAgainLater: 503
            case .validatingReferenceError: 412
            case .unknown, .networkFailure, .responseLost, .certificateUntrusted,
                .unexpectedResponse, .answerTooLarge, .cancelled:
                nil
            }
        }
    }

    package let code: Code
    /// Words for people; from the server, or ours. Never data of a user's records.
    package let reason: String
    /// How long the server asks us to wait; nil when it did not say.
    package let retryAfter: Duration?
    /// Where the user can sign in; only with `authenticationRequired`.
    package let redirectURL: String?
    /// The HTTP status of the answer, where there was one.
    package let httpStatus: Int?

    /// What has made it, where that was noted; see ``==(_:_:)``.
    package private(set) var cause: Cause?

    /// What makes the mock server refuse something.
    package enum Cause: Sendable, Hashable {
        /// - Parameter facts: What it went by, such as `tag 4f, server 52`. Never data of a user's records.
        case rule(RuleName, facts: String)
        /// A fault that somebody has set, by its id.
        case fault(String)
    }

    package init(
        _ code: Code, reason: String = "", retryAfter: Duration? = nil, redirectURL: String? = nil,
        httpStatus: Int? = nil, rule: RuleName? = nil, facts: String = ""
    ) {
        cause = rule.map { .rule($0, facts: facts) }
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.redirectURL = redirectURL
        self.httpStatus = httpStatus
    }

    /// The same, made by a rule of the mock server.
    package func under(_ rule: RuleName, facts: String = "") -> CloudError {
        var error = self
        error.cause = .rule(rule, facts: facts)
        return error
    }

    /// The same, made by a fault.
    package func by(fault id: String) -> CloudError {
        var error = self
        error.cause = .fault(id)
        return error
    }
}

extension CloudError {
    /// Whether both say the same. The cause is no part of that: no wire carries it.
    package static func == (left: CloudError, right: CloudError) -> Bool {
        left.code == right.code && left.reason == right.reason
            && left.retryAfter == right.retryAfter && left.redirectURL == right.redirectURL
            && left.httpStatus == right.httpStatus
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
        hasher.combine(retryAfter)
        hasher.combine(redirectURL)
        hasher.combine(httpStatus)
    }
}
