internal import DonationStore
internal import Foundation

extension CSIndexError {
    /// What a failure of the store means to an app.
    init(_ error: DonationError) {
        let code: Code =
            switch error.code {
            case .cannotOpen, .foreignStore, .corrupt, .closed, .noStore:
                .indexUnavailableError
            case .diskFull: .quotaExceeded
            case .inputOutput, .busy, .broken: .remoteConnectionError
            case .batch: .indexingUnsupported
            case .clientStateTooLong: .invalidClientStateError
            case .clientStateMismatch: .mismatchedClientState
            case .invalid: .invalidItemError
            case .unmatchedIdentifiers: .unknownError
            }
        self.init(code, reason: error.reason, cause: error)
    }

    /// A failure in words.
    init(_ code: Code, reason: String, cause: (any Error)? = nil) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        info[NSUnderlyingErrorKey] = cause
        self.init(code, userInfo: info)
    }

    /// The app has named no donation store.
    static var noStore: CSIndexError {
        CSIndexError(DonationError(.noStore, "no store: call DonationStore.bootstrap"))
    }
}
