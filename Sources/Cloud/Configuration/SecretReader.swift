import FileSystem

/// The secrets that let us in, read at the last moment and never shown.
package enum AccessSecrets: Sendable, Hashable {
    /// For a user's own databases; the web token is the user.
    case tokens(api: String, web: WebAuthToken?)
    /// For the public database: a key's ID and its private half as PEM.
    case serverKey(id: String, pem: [UInt8])
}

/// A web auth token, and where the next ones go: the service sends one with each answer.
package enum WebAuthToken: Sendable, Hashable {
    /// Somebody else keeps it; the next ones are known to the process only.
    case given(String)
    /// Each next one replaces what is in the file, an absolute path.
    case file(String, path: String)
    /// The same, of a sign-in. The file is missing while nobody is signed in.
    case signIn(path: String)
}

/// Reads the secrets a list points to.
package struct SecretReader: Sendable {
    let list: ContainerList
    let source: ConfigurationSource
    private let signIns: SignInFolder?
    private static let bytesMax = 64 << 10

    /// - Parameter signIns: Where web sign-ins are kept; nil: the caller knows of none.
    package init(
        _ list: ContainerList, in source: ConfigurationSource, signIns: SignInFolder? = nil
    ) {
        self.list = list
        self.source = source
        self.signIns = signIns
    }

    /// The secrets for a container.
    ///
    /// When the environment names a mock server, only the environment's tokens are used, and a sign-in
    /// at that server where the list wants one: a real credential never goes to a mock server.
    package func secrets(
        for entry: ContainerList.Entry, at server: ServerChoice
    ) throws(ConfigurationError) -> AccessSecrets {
        if server.isEmulator { return try emulatorTokens(for: entry, at: server) }
        guard let credentials = list.credentials(for: entry) else {
            throw list.error("no credentials for the container \"\(entry.id)\"")
        }
        if let keyID = credentials.keyID, let key = credentials.privateKey {
            return .serverKey(id: try text(keyID, "keyID"), pem: try bytes(key, "privateKey"))
        }
        guard let apiToken = credentials.apiToken else {
            throw list.error("no API token for the container \"\(entry.id)\"")
        }
        let api = try text(apiToken, "apiToken")
        guard let web = credentials.webAuthToken else { return .tokens(api: api, web: nil) }
        return .tokens(api: api, web: try webAuthToken(web, for: entry, at: server))
    }

    /// The file of the sign-in that a list wants for a container; nil: it wants another credential.
    package func signIn(
        for entry: ContainerList.Entry, at server: ServerChoice
    ) -> String? {
        guard list.credentials(for: entry)?.webAuthToken?.source == .login else { return nil }
        return signIns?.path(of: entry.id, list.environment, at: server)
    }

    /// What a webhook's requests are signed with.
    package func secret(ofHook secret: ContainerList.Secret) throws(ConfigurationError) -> String {
        try text(secret, "secret")
    }

    private func webAuthToken(
        _ secret: ContainerList.Secret, for entry: ContainerList.Entry, at server: ServerChoice
    ) throws(ConfigurationError) -> WebAuthToken {
        switch secret.source {
        case .variable: return .given(try text(secret, "webAuthToken"))
        case .file(let path):
            let token = try text(secret, "webAuthToken")
            return .file(token, path: source.files.absolute(path))
        case .login:
            guard let path = signIn(for: entry, at: server) else {
                throw list.error(
                    "\"webAuthToken\": \"login\" is only valid for the command cksweep; use "
                        + "env:NAME or file:PATH", at: secret.place)
            }
            return .signIn(path: path)
        }
    }

    func emulatorTokens(
        for entry: ContainerList.Entry, at server: ServerChoice
    ) throws(ConfigurationError) -> AccessSecrets {
        guard let api = source.variable(ServerChoice.apiTokenVariable) else {
            throw ConfigurationError(
                "is not set, and \(ServerChoice.urlVariable) is: the list's own credentials are "
                    + "never sent to a mock server", in: ServerChoice.apiTokenVariable)
        }
        let given = source.variable(ServerChoice.webTokenVariable)
        // Who signed in there means it; who did not goes on as the environment says.
        if let path = signIn(for: entry, at: server),
            given == nil || source.files.facts(path) != nil
        {
            return .tokens(api: api, web: .signIn(path: path))
        }
        return .tokens(api: api, web: given.map { .given($0) })
    }

    func text(
        _ secret: ContainerList.Secret, _ key: String
    ) throws(ConfigurationError) -> String {
        let value = String(decoding: try bytes(secret, key), as: UTF8.self)
        let trimmed = value.drop { $0.isWhitespace }.trimmingBlank
        let isPlain = trimmed.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !trimmed.isEmpty, isPlain, trimmed.utf8.count <= 8192 else {
            throw list.error(
                "\"\(key)\" (\(secret.source)) is empty or contains invalid characters",
                at: secret.place)
        }
        return trimmed
    }

    func bytes(
        _ secret: ContainerList.Secret, _ key: String
    ) throws(ConfigurationError) -> [UInt8] {
        switch secret.source {
        case .variable(let name):
            guard let value = source.variable(name) else {
                // No other name is suggested: it might be the one of another secret.
                throw list.error(
                    "\"\(key)\" needs the variable \(name), which is not set",
                    at: secret.place)
            }
            return Array(value.utf8)
        case .file(let path):
            guard let facts = source.files.facts(path) else {
                throw list.error(
                    "\"\(key)\" needs the file \(path), which does not exist", at: secret.place)
            }
            guard facts.isOurs, facts.mode & 0o077 == 0 else {
                throw list.error(
                    "other users can read \(path); run \"chmod 600 \(path)\"",
                    at: secret.place)
            }
            do throws(FileError) {
                return try source.files.read(path, bytesMax: Self.bytesMax)
            } catch {
                throw list.error("\"\(key)\": \(error.description)", at: secret.place)
            }
        case .login:
            throw list.error(
                "\"\(key)\" cannot be \"login\", which is only valid for \"webAuthToken\"; use "
                    + "env:NAME or file:PATH", at: secret.place)
        }
    }
}
