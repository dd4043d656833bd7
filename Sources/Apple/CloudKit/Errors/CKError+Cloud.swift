import CloudModel
import Foundation

extension CKError {
    /// Where a service's error was met: `BAD_REQUEST` and `TRY_AGAIN_LATER` have several causes.
    enum Situation: Sendable {
        /// The whole request was refused.
        case request
        /// One item of it was.
        case item
        /// A zone was to be created.
        case zoneCreation(CKDatabase.Scope)
        /// The changes since a token were asked for.
        case changes
        /// A share was to be created.
        case newShare
    }

    /// An error of our own making.
    init(_ code: Code, _ reason: String, _ more: [String: Any] = [:]) {
        var details = more
        details[NSLocalizedDescriptionKey] = reason
        self.init(_nsError: NSError(domain: CKErrorDomain, code: code.rawValue, userInfo: details))
    }

    /// What the service's error is called natively.
    init(_ error: CloudError, _ situation: Situation, container: String? = nil) {
        var details: [String: Any] = [:]
        if let wait = error.retryAfter {
            let (seconds, attoseconds) = wait.components
            details[CKErrorRetryAfterKey] = Double(seconds) + Double(attoseconds) * 1e-18
        }
        if let container { details[Self.containerKey] = container }
        if error.zoneDeletionReason == .encryptedDataReset {
            details[CKErrorUserDidResetEncryptedDataKey] = true
        }
        if error.code == .authenticationFailed { details[Self.refusedCredentialKey] = true }
        if let page = error.redirectURL { details["CKRedirectURL"] = page }
        self.init(
            Self.code(error, situation),
            error.reason.isEmpty ? error.code.rawValue : error.reason, details)
    }

    private static func code(_ error: CloudError, _ situation: Situation) -> Code {
        switch error.code {
        case .accessDenied: .permissionFailure
        case .atomicError: .batchRequestFailed
        case .authenticationFailed, .authenticationRequired: .notAuthenticated
        case .badRequest: badRequest(situation)
        case .conflict: .serverRecordChanged
        case .exists: if case .newShare = situation { .alreadyShared } else { .serverRecordChanged }
        case .internalError, .unknown, .unexpectedResponse: .internalError
        case .answerTooLarge: .limitExceeded
        case .notFound: .unknownItem
        case .quotaExceeded: .quotaExceeded
        case .throttled: .requestRateLimited
        case .tryAgainLater: tryAgainLater(situation)
        case .validatingReferenceError: .referenceViolation
        case .zoneNotFound: error.zoneDeletionReason == .purged ? .userDeletedZone : .zoneNotFound
        case .networkFailure, .certificateUntrusted: .networkFailure
        case .responseLost: .serverResponseLost
        case .cancelled: .operationCancelled
        }
    }

    private static let refusedCredentialKey = "CKRefusedCredential"

    /// Whether the server refused the credential, which does not say whether a user is signed in.
    var isRefusedCredential: Bool { userInfo[Self.refusedCredentialKey] as? Bool == true }

    private static func badRequest(_ situation: Situation) -> Code {
        switch situation {
        case .zoneCreation(let scope) where scope != .private: .badDatabase
        case .request, .item, .zoneCreation, .changes, .newShare: .invalidArguments
        }
    }

    private static func tryAgainLater(_ situation: Situation) -> Code {
        switch situation {
        case .request: .serviceUnavailable
        case .item, .zoneCreation, .changes, .newShare: .zoneBusy
        }
    }

    /// Whether the zone is not there, for whatever reason: a matter of its own records only.
    var isMissingZone: Bool { code == .zoneNotFound || code == .userDeletedZone }

    /// What the mock server and the web services have no way to do.
    static func notAvailable(_ what: String) -> CKError {
        CKError(
            .serverRejectedRequest,
            "\(what) is unavailable: the server of this library does not support it")
    }

    /// Somebody asked for a method that outlives the process.
    static var longLived: CKError {
        CKError(
            .invalidArguments, "methods cannot be long-lived: add an operation to the database")
    }

    /// Some items of a request failed.
    static func partialFailure(_ errors: [AnyHashable: any Error], _ what: String) -> CKError {
        CKError(
            .partialFailure, "Failed to \(what)", [CKPartialErrorsByItemIDKey: errors])
    }
}
