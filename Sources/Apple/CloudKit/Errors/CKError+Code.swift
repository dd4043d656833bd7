public import Foundation

extension CKError {
    /// The kind of failure, with Apple's numbers.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error that has such a code.
        public typealias _ErrorType = CKError

        /// The server or this library is at fault.
        case internalError = 1
        /// Some items failed; see `partialErrorsByItemID`.
        case partialFailure = 2
        /// There is no network.
        case networkUnavailable = 3
        /// The server could not be reached, or its certificate is not trusted.
        case networkFailure = 4
        /// The container is unknown, or none is configured.
        case badContainer = 5
        /// The service asks to come back later.
        case serviceUnavailable = 6
        /// Too many requests; wait for `retryAfterSeconds`.
        case requestRateLimited = 7
        /// The app lacks an entitlement; never sent on Linux.
        case missingEntitlement = 8
        /// Nobody is signed in, or nothing is configured.
        case notAuthenticated = 9
        /// The user may not do that.
        case permissionFailure = 10
        /// The record or subscription does not exist.
        case unknownItem = 11
        /// The request makes no sense to the server.
        case invalidArguments = 12
        /// Apple no longer sends it.
        case resultsTruncated = 13
        /// The server's record is newer than the one saved.
        case serverRecordChanged = 14
        /// The server refuses the request for good.
        case serverRejectedRequest = 15
        /// The file of an asset is not there.
        case assetFileNotFound = 16
        /// The file of an asset changed while it was sent.
        case assetFileModified = 17
        /// The app is too old for the server.
        case incompatibleVersion = 18
        /// A field that must be unique is not.
        case constraintViolation = 19
        /// The operation was cancelled.
        case operationCancelled = 20
        /// The change token is no longer known: fetch from the beginning.
        case changeTokenExpired = 21
        /// Another item of the atomic batch failed.
        case batchRequestFailed = 22
        /// The zone is busy; wait, then repeat.
        case zoneBusy = 23
        /// The database does not allow that.
        case badDatabase = 24
        /// There is no room left.
        case quotaExceeded = 25
        /// The zone does not exist.
        case zoneNotFound = 26
        /// Too much for one request: halve it.
        case limitExceeded = 27
        /// The user erased the zone in the settings of a device.
        case userDeletedZone = 28
        /// A share has too many participants.
        case tooManyParticipants = 29
        /// The record is in a shared hierarchy already.
        case alreadyShared = 30
        /// The target of a reference is missing, or still referred to.
        case referenceViolation = 31
        /// The account's manager forbids that.
        case managedAccountRestricted = 32
        /// The user must prove to be the participant.
        case participantMayNeedVerification = 33
        /// The request may have been carried out: look before you repeat.
        case serverResponseLost = 34
        /// The asset cannot be sent or had.
        case assetNotAvailable = 35
        /// The account is not ready; keep what is cached.
        case accountTemporarilyUnavailable = 36
        /// The participant is invited already.
        case participantAlreadyInvited = 37

        /// The name for people.
        var title: String {
            switch self {
            case .internalError: "Internal Error"
            case .partialFailure: "Partial Failure"
            case .networkUnavailable: "Network Unavailable"
            case .networkFailure: "Network Failure"
            case .badContainer: "Bad Container"
            case .serviceUnavailable: "Service Unavailable"
            case .requestRateLimited: "Request Rate Limited"
            case .missingEntitlement: "Missing Entitlement"
            case .notAuthenticated: "Not Authenticated"
            case .permissionFailure: "Permission Failure"
            case .unknownItem: "Unknown Item"
            case .invalidArguments: "Invalid Arguments"
            case .resultsTruncated: "Results Truncated"
            case .serverRecordChanged: "Server Record Changed"
            case .serverRejectedRequest: "Server Rejected Request"
            case .assetFileNotFound: "Asset File Not Found"
            case .assetFileModified: "Asset File Modified"
            case .incompatibleVersion: "Incompatible Version"
            case .constraintViolation: "Constraint Violation"
            case .operationCancelled: "Operation Cancelled"
            case .changeTokenExpired: "Change Token Expired"
            case .batchRequestFailed: "Batch Request Failed"
            case .zoneBusy: "Zone Busy"
            case .badDatabase: "Bad Database"
            case .quotaExceeded: "Quota Exceeded"
            case .zoneNotFound: "Zone Not Found"
            case .limitExceeded: "Limit Exceeded"
            case .userDeletedZone: "User Deleted Zone"
            case .tooManyParticipants: "Too Many Participants"
            case .alreadyShared: "Already Shared"
            case .referenceViolation: "Reference Violation"
            case .managedAccountRestricted: "Managed Account Restricted"
            case .participantMayNeedVerification: "Participant May Need Verification"
            case .serverResponseLost: "Server Response Lost"
            case .assetNotAvailable: "Asset Not Available"
            case .accountTemporarilyUnavailable: "Account Temporarily Unavailable"
            case .participantAlreadyInvited: "Participant Already Invited"
            }
        }
    }
}
