package import OpenSSL

/// What a request proves its right with. Its description never shows a secret.
package enum Credential: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// An API token; with a web auth token it acts as the user who signed in.
    case apiToken(String, web: WebAuthTokenStore?)
    /// A server-to-server key; it reaches the public database only.
    case serverKey(id: String, P256.PrivateKey)

    package var description: String {
        switch self {
        case .apiToken(_, web: nil): "API token"
        case .apiToken: "API token and web auth token"
        case .serverKey: "server-to-server key"
        }
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
