// The codes under the error's own name, so that `catch CKError.zoneNotFound` reads as it should.
extension CKError {
    /// The server or this library is at fault.
    public static var internalError: CKError.Code { .internalError }
    /// Some items failed; see `partialErrorsByItemID`.
    public static var partialFailure: CKError.Code { .partialFailure }
    /// There is no network.
    public static var networkUnavailable: CKError.Code { .networkUnavailable }
    /// The server could not be reached, or its certificate is not trusted.
    public static var networkFailure: CKError.Code { .networkFailure }
    /// The container is unknown, or none is configured.
    public static var badContainer: CKError.Code { .badContainer }
    /// The service asks to come back later.
    public static var serviceUnavailable: CKError.Code { .serviceUnavailable }
    /// Too many requests; wait for `retryAfterSeconds`.
    public static var requestRateLimited: CKError.Code { .requestRateLimited }
    /// The app lacks an entitlement; never sent on Linux.
    public static var missingEntitlement: CKError.Code { .missingEntitlement }
    /// Nobody is signed in, or nothing is configured.
    public static var notAuthenticated: CKError.Code { .notAuthenticated }
    /// The user may not do that.
    public static var permissionFailure: CKError.Code { .permissionFailure }
    /// The record or subscription does not exist.
    public static var unknownItem: CKError.Code { .unknownItem }
    /// The request makes no sense to the server.
    public static var invalidArguments: CKError.Code { .invalidArguments }
    /// Apple no longer sends it.
    public static var resultsTruncated: CKError.Code { .resultsTruncated }
    /// The server's record is newer than the one saved.
    public static var serverRecordChanged: CKError.Code { .serverRecordChanged }
    /// The server refuses the request for good.
    public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }
    /// The file of an asset is not there.
    public static var assetFileNotFound: CKError.Code { .assetFileNotFound }
    /// The file of an asset changed while it was sent.
    public static var assetFileModified: CKError.Code { .assetFileModified }
    /// The app is too old for the server.
    public static var incompatibleVersion: CKError.Code { .incompatibleVersion }
    /// A field that must be unique is not.
    public static var constraintViolation: CKError.Code { .constraintViolation }
    /// The operation was cancelled.
    public static var operationCancelled: CKError.Code { .operationCancelled }
    /// The change token is no longer known: fetch from the beginning.
    public static var changeTokenExpired: CKError.Code { .changeTokenExpired }
    /// Another item of the atomic batch failed.
    public static var batchRequestFailed: CKError.Code { .batchRequestFailed }
    /// The zone is busy; wait, then repeat.
    public static var zoneBusy: CKError.Code { .zoneBusy }
    /// The database does not allow that.
    public static var badDatabase: CKError.Code { .badDatabase }
    /// There is no room left.
    public static var quotaExceeded: CKError.Code { .quotaExceeded }
    /// The zone does not exist.
    public static var zoneNotFound: CKError.Code { .zoneNotFound }
    /// Too much for one request: halve it.
    public static var limitExceeded: CKError.Code { .limitExceeded }
    /// The user erased the zone in the settings of a device.
    public static var userDeletedZone: CKError.Code { .userDeletedZone }
    /// A share has too many participants.
    public static var tooManyParticipants: CKError.Code { .tooManyParticipants }
    /// The record is in a shared hierarchy already.
    public static var alreadyShared: CKError.Code { .alreadyShared }
    /// The target of a reference is missing, or still referred to.
    public static var referenceViolation: CKError.Code { .referenceViolation }
    /// The account's manager forbids that.
    public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }
    /// The user must prove to be the participant.
    public static var participantMayNeedVerification: CKError.Code {
        .participantMayNeedVerification
    }
    /// The request may have been carried out: look before you repeat.
    public static var serverResponseLost: CKError.Code { .serverResponseLost }
    /// The asset cannot be sent or had.
    public static var assetNotAvailable: CKError.Code { .assetNotAvailable }
    /// The account is not ready; keep what is cached.
    public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }
    /// The participant is invited already.
    public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
