import CloudModel

/// Why nobody is signed in.
enum SignInFailure: Error, Sendable, Hashable {
    /// The service's last word.
    case refused(CloudError)
    /// The service asks nobody to sign in, or says nowhere where.
    case notAsked(String)
    /// No token came.
    case noToken(String)
    /// There is no way to ask.
    case unusable(String)

    /// In words, for people.
    var reason: String {
        switch self {
        case .refused(let error): "\(error.code.rawValue): \(error.reason)"
        case .notAsked(let reason), .noToken(let reason), .unusable(let reason): reason
        }
    }
}
