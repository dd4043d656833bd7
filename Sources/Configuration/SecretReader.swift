import CloudModel
import FileSystem

/// The secrets that let us in, read at the last moment and never shown.
package enum AccessSecrets: Sendable, Hashable {
    /// For a user's own databases; the web token is the user.
    case tokens(api: String, web: String?)
    /// For the public database: a key's ID and its private half as PEM.
    case serverKey(id: String, pem: [UInt8])
}

/// Reads the secrets a list points to.
package struct SecretReader: Sendable {
    private let list: ContainerList
    private let source: ConfigurationSource
    private static let bytesMax = 64 << 10

    package init(_ list: ContainerList, in source: ConfigurationSource) {
        self.list = list
        self.source = source
    }

    /// The secrets for a container.
    ///
    /// When the environment names a mock server, only the environment's tokens are used: a real
    /// credential never goes to a mock server.
    package func secrets(
        for entry: ContainerList.Entry, at server: ServerChoice
    ) throws(ConfigurationError) -> AccessSecrets {
        if server.isEmulator { return try emulatorTokens() }
        guard let credentials = list.credentials(for: entry) else {
            throw list.error("no credentials are given for the container \"\(entry.id)\"")
        }
        if let keyID = credentials.keyID, let key = credentials.privateKey {
            return .serverKey(id: try text(keyID, "keyID"), pem: try bytes(key, "privateKey"))
        }
        guard let apiToken = credentials.apiToken else {
            throw list.error("no API token is given for the container \"\(entry.id)\"")
        }
        let api = try text(apiToken, "apiToken")
        guard let web = credentials.webAuthToken else { return .tokens(api: api, web: nil) }
        return .tokens(api: api, web: try text(web, "webAuthToken"))
    }

    private func emulatorTokens() throws(ConfigurationError) -> AccessSecrets {
        guard let api = source.variable(ServerChoice.apiTokenVariable) else {
            throw ConfigurationError(
                "is not set, and \(ServerChoice.urlVariable) is: the list's own credentials are "
                    + "never sent to a mock server", in: ServerChoice.apiTokenVariable)
        }
        return .tokens(api: api, web: source.variable(ServerChoice.webTokenVariable))
    }

    private func text(
        _ secret: ContainerList.Secret, _ key: String
    ) throws(ConfigurationError) -> String {
        let value = String(decoding: try bytes(secret, key), as: UTF8.self)
        let trimmed = value.drop { $0.isWhitespace }.trimmingBlank
        let isPlain = trimmed.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !trimmed.isEmpty, isPlain, trimmed.utf8.count <= 8192 else {
            throw list.error(
                "\"\(key)\" (\(secret.source)) is empty or holds what no token holds",
                at: secret.place)
        }
        return trimmed
    }

    private func bytes(
        _ secret: ContainerList.Secret, _ key: String
    ) throws(ConfigurationError) -> [UInt8] {
        switch secret.source {
        case .variable(let name):
            guard let value = source.variable(name) else {
                let near = NearestName.hint(for: name, among: source.variables.keys.sorted())
                throw list.error(
                    "\"\(key)\" wants the variable \(name), which is not set\(near)",
                    at: secret.place)
            }
            return Array(value.utf8)
        case .file(let path):
            guard let facts = source.files.facts(path) else {
                throw list.error(
                    "\"\(key)\" wants the file \(path), which is not there", at: secret.place)
            }
            guard facts.isOurs, facts.mode & 0o077 == 0 else {
                throw list.error(
                    "others may read \(path); make it yours alone with \"chmod 600 \(path)\"",
                    at: secret.place)
            }
            do throws(FileError) {
                return try source.files.read(path, bytesMax: Self.bytesMax)
            } catch {
                throw list.error("\"\(key)\": \(error.description)", at: secret.place)
            }
        case .login:
            throw list.error(
                "\"\(key)\" is \"login\", which is not available in this version; use env:NAME or "
                    + "file:PATH", at: secret.place)
        }
    }
}
