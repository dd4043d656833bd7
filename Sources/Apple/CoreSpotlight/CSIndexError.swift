public import Foundation

/// Why the index refused a call.
///
/// Throw and catch it as on Apple's systems: `catch CSIndexError.quotaExceeded`, or as `NSError`
/// with `error as NSError`. The cause, a `DonationError`, is under `NSUnderlyingErrorKey`.
public struct CSIndexError: CustomNSError, _BridgedStoredNSError, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        public typealias _ErrorType = CSIndexError
        /// None of the others.
        case unknownError = -1
        /// There is no store, or it cannot be opened.
        case indexUnavailableError = -1000
        /// An item is not well formed.
        case invalidItemError = -1001
        /// The client state is longer than 250 bytes.
        case invalidClientStateError = -1002
        /// The store could not be written.
        case remoteConnectionError = -1003
        /// There is no room left.
        case quotaExceeded = -1004
        /// The index cannot do this, such as batches on the default index.
        case indexingUnsupported = -1005
        /// The client state in the index is not the expected one.
        case mismatchedClientState = -1006
    }

    public let _nsError: NSError
    /// Takes an `NSError` of this domain.
    public init(_nsError: NSError) { self._nsError = _nsError }
    public static var _nsErrorDomain: String { CSIndexErrorDomain }
    public static var errorDomain: String { CSIndexErrorDomain }

    /// None of the others.
    public static var unknownError: Code { .unknownError }
    /// There is no store, or it cannot be opened.
    public static var indexUnavailableError: Code { .indexUnavailableError }
    /// An item is not well formed.
    public static var invalidItemError: Code { .invalidItemError }
    /// The client state is longer than 250 bytes.
    public static var invalidClientStateError: Code { .invalidClientStateError }
    /// The store could not be written.
    public static var remoteConnectionError: Code { .remoteConnectionError }
    /// There is no room left.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// The index cannot do this.
    public static var indexingUnsupported: Code { .indexingUnsupported }
    /// The client state in the index is not the expected one.
    public static var mismatchedClientState: Code { .mismatchedClientState }
}
