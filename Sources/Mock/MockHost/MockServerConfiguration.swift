package import CloudModel
import CloudWire
import HTTPServer
package import MockFaults
package import MockService
package import MockStore

/// Everything a mock server is started with.
package struct MockServerConfiguration: Sendable {
    /// Where the accounts are kept.
    package enum Storage: Sendable, Hashable {
        /// Nothing survives a stop.
        case memory
        /// Every acknowledged write survives `kill -9`.
        case directory(String)
    }

    /// A certificate chain and its key, both PEM files.
    package struct OwnCertificate: Sendable, Hashable {
        /// The leaf first, then its issuers.
        package var certificateFile: String
        package var keyFile: String

        /// Both files must exist when the server starts.
        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// Host names and IP addresses the certificate is made for.
    package var names = ["localhost", "127.0.0.1", "::1"]
    /// The name in the ready line: the first that is one host's.
    var readyName: String { names.first { !$0.contains("*") } ?? "localhost" }
    /// The names of the certificate: the ready line's is always among them.
    var certifiedNames: [String] { names.contains(readyName) ? names : names + [readyName] }
    /// IP addresses the socket listens on.
    package var addresses = ["127.0.0.1", "::1"]
    /// 0 lets the system choose.
    package var port: UInt16 = 0
    /// Where the certificate authority is kept; made when missing.
    package var stateFolder: String
    /// Used instead of a certificate of our own authority.
    package var ownCertificate: OwnCertificate?
    package var storage = Storage.memory
    /// Same seed and same requests: same tokens, same faults. nil draws one, and draws the tokens
    /// apart from it; a store in a folder keeps both.
    package var seed: UInt64?
    /// How the service behaves where the real one is unknown, and its limits.
    package var options = MockOptions()
    /// Users there from the start.
    package var users = ["ann", "bob"]
    /// The containers there from the start, besides which only seeds and schemas name others; nil
    /// serves every well-formed identifier.
    package var containers: [Container.ID]?
    /// The schemas that containers have from the start; one that a store keeps is replaced.
    package var schemas: [(container: Container.ID, schema: Schema)] = []
    /// Fixture files loaded before the server is ready. A store in a folder takes them once: started
    /// again with the same texts it stays as it is, and with others the server does not start.
    package var fixtures: [String] = []
    /// A snapshot file that the store begins with; only in memory.
    package var restoredFile: String?
    /// Where a snapshot file is saved when the server ends.
    package var savedFile: String?
    /// Switches that were set by name, and take precedence over those of the snapshot file.
    package internal(set) var chosenSwitches: [String] = []
    /// Faults set before the server is ready.
    package var faults: [FaultRule] = []
    /// Whether a namespace is made when it is first asked for.
    package var makesNamespaces = false
    /// Namespaces that there can be at once.
    package var namespacesMax = WireLimits.namespacesMax
    /// Whether a web token is good for one request only.
    package var singleUseTokens = false
    /// Whether API tokens and keys of no container are good for every one.
    package var takesUnboundTokens = true
    /// How long a web token is good for, in seconds.
    package var webTokenSecondsMax = WireLimits.webSessionSecondsMax
    /// Whether signed requests must be dated within ten minutes of our clock.
    package var checksClockSkew = true
    /// How many requests each device can send.
    package var throttle = RequestThrottle.Rate()
    /// Whether the requests of clients are checked, see `ClientLinter`.
    package var checksClients = false
    /// Chosen API tokens, valid for every container.
    package var apiTokens: [String] = []
    /// Chosen web tokens.
    package var webTokens: [WebToken] = []
    /// Server-to-server keys there from the start, good for every container.
    package var serverKeys: [ServerKey] = []

    /// A web token and whose it is.
    package struct WebToken: Sendable {
        package let user: String
        package let token: String

        package init(user: String, token: String) {
            self.user = user
            self.token = token
        }
    }

    /// A server-to-server key: its ID, and the PEM file of its public half.
    package struct ServerKey: Sendable {
        package let id: String
        package let file: String

        package init(id: String, file: String) {
            self.id = id
            self.file = file
        }
    }

    /// Where the sign-in page sends the browser afterwards; nil: it only posts a message.
    package var signInCallback: String?
    /// How long a request for pushes waits for one; zero answers at once.
    package var courierWait: Duration = .seconds(30)
    /// Requests the journal keeps.
    package var journalEntriesMax = 10_000
    /// Bytes the journal keeps.
    package var journalBytesMax = 64 << 20
    /// Bytes that requests and responses of all clients together may use.
    package var memoryBytesMax = HTTPLimits().memoryBytesMax
    /// What ``memoryBytesMax`` may be.
    package static let memoryBytesRange = MemoryBudget.bytesMin...(1 << 40)
    /// Receives what the operator should know, in a sentence.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Receives what needs no action, in a sentence.
    package var note: @Sendable (String) -> Void = { _ in }
    /// Gets the ready line's facts as JSON once the server listens.
    package var readyFile: String?

    /// A server with a state folder and otherwise all defaults.
    package init(stateFolder: String) { self.stateFolder = stateFolder }
}
