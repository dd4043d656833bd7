public import Foundation

/// Why CloudKit refused a request or one item of it. Mirrors Apple's `CKError`.
///
/// A value of this type is what every block and method of this module reports, so
/// `error as? CKError` and `catch let error as CKError` work as on Apple's systems;
/// `error as NSError` has the domain ``CKErrorDomain`` and the code's number.
public struct CKError: _BridgedStoredNSError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Takes an `NSError` of the domain ``CKErrorDomain``.
    public init(_nsError error: NSError) {
        precondition(error.domain == CKErrorDomain, "an error of another domain")
        _nsError = error
    }

    /// `CKErrorDomain`
    public static var errorDomain: String { CKErrorDomain }
    /// `CKErrorDomain`
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// Feeds the error's domain and code to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError) }

    /// Whether two errors have the same code and details.
    public static func == (left: CKError, right: CKError) -> Bool {
        left._nsError.isEqual(right._nsError)
    }
}

// What the details say
extension CKError {
    /// What failed for each item, by zone ID, record ID or subscription ID; only with
    /// `partialFailure`.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// How long to wait before the next attempt; nil when the server did not say.
    public var retryAfterSeconds: Double? { userInfo[CKErrorRetryAfterKey] as? Double }

    /// The record as the server has it; only with `serverRecordChanged`.
    public var serverRecord: CKRecord? {
        userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
    }

    /// The record that was to be saved; only with `serverRecordChanged`.
    public var clientRecord: CKRecord? {
        userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
    }

    /// The record that the client's changes started from; only with `serverRecordChanged`.
    ///
    /// nil for a record that was never saved, and for one that was read from an archive: the fields that
    /// it had on the server are not known.
    public var ancestorRecord: CKRecord? {
        userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
    }
}

extension CKError: CustomStringConvertible {
    /// The name and number of the error, what the server said, and the errors of its items.
    public var description: String {
        var text = "<CKError: \"\(code.title)\" (\(errorCode))"
        if let reason = userInfo[NSLocalizedDescriptionKey] as? String { text += "; \"\(reason)\"" }
        if let wait = retryAfterSeconds { text += "; retry after \(wait) s" }
        if let container = userInfo[Self.containerKey] as? String {
            text += "; container ID = \"\(container)\""
        }
        if let partial = partialErrorsByItemID {
            let items = partial.map { "\($0.key): \($0.value)" }.sorted()
            text += "; partial errors: {\(items.joined(separator: ", "))}"
        }
        return text + ">"
    }

    static let containerKey = "ContainerID"
}
