// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The domain of every error of this module.
public let CKErrorDomain = "CKErrorDomain"

/// The seconds to wait before the next attempt, a `Double`.
public let CKErrorRetryAfterKey = "CKRetryAfter"
/// The errors of single items, by their IDs.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"
/// The record that the client's changes started from.
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"
/// The record as the server has it.
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"
/// The record that was to be saved.
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"
/// Whether the zone went because the user reset encrypted data.
public let CKErrorUserDidResetEncryptedDataKey = "CKErrorUserDidResetEncryptedData"
