/// Where this process finds its containers, and what it is allowed in with.
///
/// Apple's framework takes all this from the app's entitlements and the device's account; there
/// are neither on Linux. A process that says nothing takes it from its environment; see
/// ``init(environment:)``. This type has no counterpart in Apple's framework.
public struct CloudKitConfiguration: Sendable {
    /// A server other than Apple's.
    public struct Server: Sendable, Hashable {
        /// Scheme, host and port, such as `https://localhost:8443`.
        public var url: String
        /// The PEM file of the certificate authority; nil: the system's.
        public var certificateAuthorityFile: String?

        /// A server at an address.
        public init(url: String, certificateAuthorityFile: String? = nil) {
            self.url = url
            self.certificateAuthorityFile = certificateAuthorityFile
        }
    }

    /// Which of a container's two separate worlds.
    public enum Environment: String, Sendable, Hashable {
        /// Where apps are tried out.
        case development
        /// Where released apps keep their data.
        case production
    }

    /// What requests prove their right with. Its description never shows a secret.
    public enum Credential: Sendable, Hashable, CustomStringConvertible,
        CustomDebugStringConvertible, CustomReflectable
    {
        /// An API token; with a web auth token it acts as the user who signed in.
        case tokens(api: String, webAuth: String?)
        /// An API token, and a file that holds a web auth token and nothing else. The service answers
        /// with the next token: each replaces the one in the file before the answer is handed on, so
        /// that a program that starts again is still signed in. Programs may share the file; a path
        /// that is not absolute is taken from the working folder.
        case webAuthTokenFile(api: String, path: String)
        /// A server-to-server key, its private half as PEM text; for public databases only.
        case serverKey(id: String, pem: String)

        /// The kind of credential.
        public var description: String {
            switch self {
            case .tokens(_, webAuth: nil): "API token"
            case .tokens: "API token and web auth token"
            case .webAuthTokenFile: "API token and web auth token in a file"
            case .serverKey: "server-to-server key"
            }
        }
        /// The kind of credential.
        public var debugDescription: String { description }
        /// Shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// nil: Apple's own server.
    public var server: Server?
    /// Development unless said otherwise.
    public var environment: Environment
    /// What `CKContainer.default()` is.
    public var defaultContainerIdentifier: String?
    /// For containers without their own; nil: not signed in.
    public var credential: Credential?
    /// Credentials of single containers, by identifier.
    public var credentials: [String: Credential]
    /// The folder that keeps long-lived operations until they have ended, records and all, for the user of
    /// the process only; nil: `cloudkit` in `$XDG_STATE_HOME`, else in `~/.local/state`.
    public var stateFolder: String?

    /// A configuration spelled out.
    public init(
        server: Server? = nil, environment: Environment = .development,
        defaultContainerIdentifier: String? = nil, credential: Credential? = nil,
        credentials: [String: Credential] = [:]
    ) {
        self.server = server
        self.environment = environment
        self.defaultContainerIdentifier = defaultContainerIdentifier
        self.credential = credential
        self.credentials = credentials
    }

    /// Makes `configuration` the process's own, in place of what the environment says.
    ///
    /// Containers made earlier use it from their next request on.
    public static func bootstrap(_ configuration: CloudKitConfiguration) {
        CloudConnection.setProcessWide(CloudConnection(configuration))
    }

    /// Waits until no operation that was added to a database or container is left, including
    /// those added meanwhile; for programs that would otherwise end before their work.
    ///
    /// - Warning: Blocks the calling thread; an operation's own blocks must not call it.
    public static func waitUntilAllOperationsAreFinished() {
        let queue = CKOperation.queue
        while queue.operationCount > 0 { queue.waitUntilAllOperationsAreFinished() }
    }
}
