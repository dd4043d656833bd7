/// What a request, or one item of it, failed with: as much as decides what happens next.
package enum SyncFailure: Error, Sendable, Hashable {
    /// Nobody is signed in.
    case signedOut
    /// The service, the network or the account is not ready; the wait is the service's wish.
    case transient(retryAfter: Duration?)
    /// One zone is busy; others are not.
    case busy(retryAfter: Duration?)
    /// The change token is no longer known.
    case tokenExpired
    /// The zone does not exist, perhaps because the user erased it.
    case zoneMissing(isPurged: Bool)
    /// Too much for one request.
    case tooLarge
    /// The app cancelled it.
    case cancelled
    /// The same request fails again: the app decides.
    case lasting

    /// Whether the engine tries again by itself.
    package var isRetried: Bool {
        switch self {
        case .signedOut, .transient, .busy, .cancelled: true
        case .tokenExpired, .zoneMissing, .tooLarge, .lasting: false
        }
    }

    var retryAfter: Duration? {
        switch self {
        case .transient(let wait), .busy(let wait): wait
        case .signedOut, .tokenExpired, .zoneMissing, .tooLarge, .cancelled, .lasting: nil
        }
    }
}
