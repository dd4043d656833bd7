package import CloudModel

/// The one retry rule: what is done about each error, and why.
package enum ErrorPolicy {
    /// What to do about a failed request, or about a failed item of one.
    package enum Decision: Sendable, Hashable {
        /// Wait, then send the same again. A throttle is not counted as an attempt.
        case waitAndRepeat(countsAsAttempt: Bool)
        /// Send half as much at a time; report an item that is refused alone.
        case halve
        /// Look again at what is there, then repeat.
        case reread
        /// Nothing left to do: what was to be deleted is not there.
        case doneAlready
        /// Delete the other records first, then repeat.
        case afterTheOthers
        /// Nothing can be done before somebody signs in.
        case signInAgain
        /// The run cannot go on.
        case stop
        /// It will not work; say so.
        case report
    }

    package static func decision(for code: CloudError.Code) -> Decision {
        switch code {
        case .throttled:
            // The server tells when; asking is free of blame, however often it says so.
            .waitAndRepeat(countsAsAttempt: false)
        case .tryAgainLater:
            // The same as a throttle, in other words (503).
            .waitAndRepeat(countsAsAttempt: false)
        case .internalError:
            // The server's own fault; most pass, some are lasting.
            .waitAndRepeat(countsAsAttempt: true)
        case .networkFailure:
            // Nothing was sent, so nothing can be done twice.
            .waitAndRepeat(countsAsAttempt: true)
        case .responseLost:
            // It may have been carried out. Deleting twice is the same as deleting once.
            .waitAndRepeat(countsAsAttempt: true)
        case .unexpectedResponse:
            // A proxy's page or a cut body: the request may have been carried out, as above.
            .waitAndRepeat(countsAsAttempt: true)
        case .answerTooLarge:
            // Smaller pages were asked for already. If it is lasting, the attempts run out.
            .waitAndRepeat(countsAsAttempt: true)
        case .unknown:
            // A code that came after us. If it is lasting, the attempts run out.
            .waitAndRepeat(countsAsAttempt: true)
        case .badRequest:
            // Too many operations or too large a body are told like this (400).
            .halve
        case .quotaExceeded:
            // Deleting needs no room: the body was too large (413).
            .halve
        case .atomicError:
            // Another item failed this one; alone it can succeed.
            .halve
        case .conflict:
            // Somebody wrote in between; what is there now has another tag.
            .reread
        case .notFound:
            // The record or subscription is gone.
            .doneAlready
        case .zoneNotFound:
            // The zone is gone, and all that was in it.
            .doneAlready
        case .validatingReferenceError:
            // Another record still refers to this one.
            .afterTheOthers
        case .authenticationRequired:
            // The web token is missing or used up.
            .signInAgain
        case .authenticationFailed:
            // The credential was rejected; the next request would be too.
            .signInAgain
        case .accessDenied:
            // No permission for this one; others may work.
            .report
        case .exists:
            // Only creating can fail like this, and nothing here creates.
            .report
        case .certificateUntrusted:
            // Whoever answers is not the server. Nothing more is sent to it.
            .stop
        case .cancelled:
            // Somebody ended the task.
            .stop
        }
    }
}
