import CloudCommandLine
import CommandLine
import Configuration
import FileSystem
import HTTPClient
import JSON

/// Talks to the administration of a running mock server.
struct AdminClient: Sendable {
    static let server = Option(
        "server", value: .text("URL"),
        "the server (default: $CLOUDKIT_EMULATOR_URL, else the one started last)")
    static let authority = Option(
        "ca", value: .file, "its certificate authority (default: $CLOUDKIT_EMULATOR_CA)")
    static let state = Option(
        "state", value: .directory,
        "state folder; the server's authority and ready file are in it (default: "
            + "$XDG_STATE_HOME/cloudkit-mock)")
    static let options = [server, authority, state]

    let url: String
    let authorityFile: String?
    /// What requests carry; nil: the server answers its health alone.
    let adminToken: String?
    private let client: HTTPClient
    /// Set where a ready file named the server: what to say when the process that left it is gone.
    private let stale: CommandFailure?

    /// - Parameters:
    ///   - movesMuch: Whether everything that the server stores is sent in one message: longer, and with a longer timeout.
    ///   - stale: What to say instead when nothing answers.
    init(
        url: String, authorityFile: String?, adminToken: String?, movesMuch: Bool = false,
        stale: CommandFailure? = nil
    ) {
        self.url = url
        self.authorityFile = authorityFile
        self.adminToken = adminToken
        self.stale = stale
        var configuration = HTTPClientConfiguration(
            trust: authorityFile.map { .file($0) } ?? .system)
        if movesMuch {
            configuration.responseBytesMax = Self.muchBytesMax
            configuration.requestTimeout = .seconds(3600)
        }
        client = HTTPClient(configuration: configuration)
    }

    /// How long such a message may be, which this process keeps in memory.
    static let muchBytesMax = 2 << 30

    /// A client of a namespace of this server, which the same token opens, for the caller to close.
    func namespace(at url: String) -> AdminClient {
        AdminClient(url: url, authorityFile: authorityFile, adminToken: adminToken)
    }

    /// Finds the server: by options, by variables, by the ready file of the state folder.
    init(
        _ arguments: Arguments, in environment: Environment, movesMuch: Bool = false
    ) throws(CommandFailure) {
        let files = environment.files
        let ca = arguments.text(Self.authority).map { files.absolute($0) }
        if let ca, files.facts(ca) == nil { throw CommandFailure(.usage, "\(ca) does not exist") }
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        if let url = arguments.text(Self.server) {
            if let problem = ServerAddress.problem(in: url) {
                throw CommandFailure(.usage, "--server \(problem)")
            }
            let canonical = ServerAddress.canonical(url)
            let known = try Self.knownAuthority(of: canonical, state, files)
            let authority = ca ?? environment.variable(ServerChoice.authorityVariable) ?? known
            self.init(
                url: canonical, authorityFile: authority,
                adminToken: try Self.token(of: canonical, authority, state, environment),
                movesMuch: movesMuch)
            return
        }
        let emulator: ServerChoice?
        do throws(ConfigurationError) {
            emulator = try ServerChoice.emulator(in: environment.source)
        } catch {
            throw CommandFailure(error)
        }
        if let emulator {
            let authority = ca ?? emulator.authorityFile
            self.init(
                url: emulator.url, authorityFile: authority,
                adminToken: try Self.token(of: emulator.url, authority, state, environment),
                movesMuch: movesMuch)
            return
        }
        guard let ready = try ReadyFile.read(of: state, files) else {
            throw CommandFailure(
                .usage, "no running mock server was found",
                remedy: "start one with \"cloudkit-mock serve\", or name it with --server and --ca")
        }
        self.init(
            url: ready.url, authorityFile: ca ?? ready.authorityFile,
            adminToken: ready.adminToken, movesMuch: movesMuch,
            stale: Self.stale(ready, at: ReadyFile.path(state), files))
    }

    /// The authority of a server that is the one of the state folder.
    private static func knownAuthority(
        of url: String, _ state: String, _ files: Files
    ) throws(CommandFailure) -> String? {
        let ready = try ReadyFile.read(of: state, files)
        return ready?.url == url ? ready?.authorityFile : nil
    }

    /// The token for a server that options or variables name: the variable's, unless that is of another
    /// server; else the ready file's, where that server is the one at `url`, or proves itself by the same
    /// authority. No other server is sent one.
    private static func token(
        of url: String, _ authorityFile: String?, _ state: String, _ environment: Environment
    ) throws(CommandFailure) -> String? {
        if let token = environment.variable(ServerChoice.adminTokenVariable) {
            let owner = environment.variable(ServerChoice.urlVariable)
            if owner.map({ ServerAddress.canonical($0) == url }) ?? true { return token }
        }
        guard let ready = try ReadyFile.read(of: state, environment.files) else { return nil }
        let provesItself = authorityFile != nil && authorityFile == ready.authorityFile
        return ready.url == url || provesItself ? ready.adminToken : nil
    }

    /// What to say of a server that has ended without taking its ready file along; nil while its process
    /// is there.
    private static func stale(
        _ ready: ReadyFile, at path: String, _ files: Files
    ) -> CommandFailure? {
        guard let pid = ready.pid, ready.isStale(files) == true else { return nil }
        return CommandFailure(
            .usage,
            "the mock server started last (process \(pid) at \(ready.url)) no longer runs; it "
                + "was killed and left \(path)",
            remedy: "start one with \"cloudkit-mock serve\", which replaces that file")
    }

    /// Sends a request below `/_mock/v1/` and reads the JSON object that answers it.
    func ask(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: [UInt8] = []
    ) async throws(CommandFailure) -> AdminAnswer {
        let response = try await succeed(method, path, body)
        let request = "\(method.rawValue) \(path.prefix { $0 != "?" })"
        do throws(JSONError) {
            return AdminAnswer(try JSONDocument.parse(response.body).root, to: request)
        } catch {
            throw CommandFailure(
                .internalError,
                "the server at \(url) replied to \(request) with invalid JSON: \(error)",
                remedy: "check that it is a mock server")
        }
    }

    /// Sends a request with an object as its body.
    func ask(
        _ method: HTTPClientRequest.Method, _ path: String, _ fields: [Event.Field]
    ) async throws(CommandFailure) -> AdminAnswer {
        try await ask(method, path, Array(Event(path, fields).prettyText.utf8))
    }

    /// A response of any kind.
    func bytes(_ path: String) async throws(CommandFailure) -> [UInt8] {
        try await succeed(.get, path, []).body
    }

    /// A response that is not an error.
    private func succeed(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: [UInt8]
    ) async throws(CommandFailure) -> HTTPClientResponse {
        let response = try await send(method, path, body)
        guard (200..<300).contains(response.status) else {
            let root = (try? JSONDocument.parse(response.body))?.root
            let refused = root?["refused"]?.elements.compactMap(\.string).joined(separator: "; ")
            throw CommandFailure(
                .usage,
                "the mock server refused the request: "
                    + (refused ?? root?["error"]?.string ?? "status \(response.status)"))
        }
        return response
    }

    private func send(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: [UInt8]
    ) async throws(CommandFailure) -> HTTPClientResponse {
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(
                HTTPClientRequest(
                    method, "\(url)/_mock/v1/\(path)",
                    headers: adminToken.map { [("authorization", "Bearer \($0)")] } ?? [],
                    body: body))
        } catch {
            throw stale ?? CommandFailure(.usage, "the mock server at \(url): \(error.message)")
        }
        guard response.status != 401 else { throw refusedToken }
        return response
    }

    /// What to say where the server did not accept the token.
    var refusedToken: CommandFailure {
        CommandFailure(
            .usage,
            adminToken == nil
                ? "the administration API of the mock server at \(url) needs a token"
                : "the token is not valid for the administration API of the mock server at \(url)",
            remedy: "set $\(ServerChoice.adminTokenVariable) to the \"adminToken\" of the "
                + "server's ready file")
    }

    /// A value for a query.
    static func escaped(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
            }
        }
        return result
    }

    func close() { client.shutdown() }
}
