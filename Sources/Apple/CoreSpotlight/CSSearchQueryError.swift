public import Foundation

/// Why a search failed.
public struct CSSearchQueryError: CustomNSError, _BridgedStoredNSError, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        public typealias _ErrorType = CSSearchQueryError
        /// None of the others.
        case unknown = -2000
        /// There is no store, or it cannot be read.
        case indexUnreachable = -2001
        /// The query string is malformed; the description names the place.
        case invalidQuery = -2002
        /// The search was cancelled.
        case cancelled = -2003
    }

    public let _nsError: NSError
    /// Takes an `NSError` of this domain.
    public init(_nsError: NSError) { self._nsError = _nsError }
    public static var _nsErrorDomain: String { CSSearchQueryErrorDomain }
    public static var errorDomain: String { CSSearchQueryErrorDomain }

    /// None of the others.
    public static var unknown: Code { .unknown }
    /// There is no store, or it cannot be read.
    public static var indexUnreachable: Code { .indexUnreachable }
    /// The query string is malformed.
    public static var invalidQuery: Code { .invalidQuery }
    /// The search was cancelled.
    public static var cancelled: Code { .cancelled }
}
