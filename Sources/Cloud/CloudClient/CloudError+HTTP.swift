import Basics
package import CloudModel
package import HTTPClient

extension CloudError {
    /// What a missing answer means for who asked.
    package init(_ error: HTTPClientError) {
        let code: Code =
            switch error.code {
            case .nameNotResolved, .couldNotConnect, .tlsFailed, .timedOut, .connectionLost:
                error.mayHaveBeenCarriedOut ? .responseLost : .networkFailure
            case .certificateUntrusted, .certificateWrongHost, .certificateExpired,
                .certificateChanged, .trustUnreadable:
                .certificateUntrusted
            case .invalidRequest, .invalidResponse: .unexpectedResponse
            case .tooLarge: .answerTooLarge
            case .cancelled, .shutDown, .notTaken, .notGiven: .cancelled
            }
        self.init(code, reason: error.message)
    }

    /// The same error, with a word about the clocks when they disagree: a signature's date is one
    /// of the things that the service refuses without saying so.
    func hintingAtClock(serverDate: String?, local: Timestamp) -> CloudError {
        guard let server = serverDate.flatMap(HTTPDate.parse) else { return self }
        let skew = local.since(server).components.seconds
        guard abs(skew) > Self.noticeableSkewSeconds else { return self }
        return CloudError(
            code,
            reason: reason + (reason.isEmpty ? "" : "; ")
                + "this machine's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") "
                + "the server's: set it right, because signatures contain the time",
            retryAfter: retryAfter, redirectURL: redirectURL, httpStatus: httpStatus)
    }

    /// Below this, transport explains the difference.
    private static let noticeableSkewSeconds: Int64 = 60
}
