import CloudModel

/// What a failure means to a sync.
enum SyncFailure: Hashable {
    /// Time will help.
    case passing(SyncWait)
    /// A right request was refused: perhaps for the token in it.
    case refused
    /// The zone is not there.
    case zoneMissing
    /// The user may not access it, or no longer.
    case denied
    /// Only somebody's act will help.
    case lasting(SyncHalt)

    init(_ code: CloudError.Code) {
        self =
            switch code {
            case .throttled: .passing(.throttled)
            case .tryAgainLater, .internalError, .unknown, .unexpectedResponse, .answerTooLarge:
                .passing(.unavailable)
            case .networkFailure, .responseLost: .passing(.network)
            case .badRequest, .notFound, .conflict, .exists, .atomicError,
                .validatingReferenceError:
                .refused
            case .zoneNotFound: .zoneMissing
            case .accessDenied: .denied
            case .authenticationFailed, .authenticationRequired: .lasting(.notAuthenticated)
            case .quotaExceeded: .lasting(.quotaExceeded)
            case .certificateUntrusted: .lasting(.wrongService)
            case .cancelled: .lasting(.cancelled)
            }
    }
}
