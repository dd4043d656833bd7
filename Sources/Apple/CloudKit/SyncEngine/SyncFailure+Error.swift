import Foundation
import RecordSync

extension SyncFailure {
    /// What an error means to an engine.
    ///
    /// - SeeAlso: <https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5>
    init(_ error: CKError) {
        let wait = error.retryAfterSeconds.map { Duration.seconds(min(max($0, 0), 86_400)) }
        switch error.code {
        case .notAuthenticated: self = .signedOut
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited,
            .accountTemporarilyUnavailable, .serverResponseLost:
            self = .transient(retryAfter: wait)
        case .zoneBusy: self = .busy(retryAfter: wait)
        case .operationCancelled: self = .cancelled
        case .changeTokenExpired: self = .tokenExpired
        case .zoneNotFound: self = .zoneMissing(isPurged: false)
        case .userDeletedZone: self = .zoneMissing(isPurged: true)
        case .limitExceeded: self = .tooLarge
        case .internalError, .partialFailure, .badContainer, .missingEntitlement,
            .permissionFailure, .unknownItem, .invalidArguments, .resultsTruncated,
            .serverRecordChanged, .serverRejectedRequest, .assetFileNotFound, .assetFileModified,
            .incompatibleVersion, .constraintViolation, .batchRequestFailed, .badDatabase,
            .quotaExceeded, .tooManyParticipants, .alreadyShared, .referenceViolation,
            .managedAccountRestricted, .participantMayNeedVerification, .assetNotAvailable,
            .participantAlreadyInvited:
            self = .lasting
        }
    }
}
