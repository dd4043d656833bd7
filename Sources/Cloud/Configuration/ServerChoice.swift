package import CloudModel

/// Which server is talked to, and who says so.
package struct ServerChoice: Sendable, Hashable {
    /// In its canonical form, so that two spellings of an address are one server.
    package let url: String
    /// The PEM file with its certificate authority; nil: the system's.
    package let authorityFile: String?
    /// Whether it is the environment's mock server.
    package let isEmulator: Bool
    /// The server that the list is for, in words, where the environment's mock server stands in
    /// for another one; nil: it is this one.
    package private(set) var standsInFor: String?

    package init(url: String, authorityFile: String?, isEmulator: Bool = false) {
        self.url = ServerAddress.canonical(url)
        self.authorityFile = authorityFile
        self.isEmulator = isEmulator
    }

    /// For everything that tells of what is done there: only Apple's own host is no rehearsal.
    package var facts: ServerFacts {
        ServerFacts(url: url, isRehearsal: url != ServerFacts.apple.url)
    }

    /// The server's name without scheme and port, for people.
    package var host: String {
        let authority = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first
        guard let authority, let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]")
        else { return authority.map { String($0) } ?? url }
        return String(authority[..<colon])
    }

    /// Variables that `cloudkit-mock exec` sets for the program it runs.
    package static let urlVariable = "CLOUDKIT_EMULATOR_URL"
    package static let authorityVariable = "CLOUDKIT_EMULATOR_CA"
    package static let apiTokenVariable = "CLOUDKIT_EMULATOR_API_TOKEN"
    package static let webTokenVariable = "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"
    package static let adminTokenVariable = "CLOUDKIT_EMULATOR_ADMIN_TOKEN"

    /// The variable with the web token of one of several users: `CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_ANN`.
    package static func webTokenVariable(of user: String) -> String {
        let name = user.uppercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return "\(webTokenVariable)_\(String(name))"
    }

    /// The environment's mock server first, then the list's server, then Apple's.
    package static func choose(
        for list: ContainerList, in source: ConfigurationSource
    ) throws(ConfigurationError) -> ServerChoice {
        if var emulator = try emulator(in: source) {
            emulator.standsInFor = list.otherServer(than: emulator.url, in: source)
            return emulator
        }
        guard let server = list.server else {
            return ServerChoice(url: ServerFacts.apple.url, authorityFile: nil)
        }
        let url = try list.resolve(server.url, "url", in: source)
        if let problem = ServerAddress.problem(in: url) {
            throw list.error("the server's address \(problem)", at: server.url.place)
        }
        var authority: String?
        if let setting = server.authority {
            authority = try list.resolve(setting, "ca", in: source)
        }
        if let authority, source.files.facts(authority)?.isFile != true {
            throw list.error("the file \(authority) does not exist", at: server.authority?.place)
        }
        return ServerChoice(
            url: url,
            authorityFile: authority.map { source.files.absolute($0) })
    }

    /// The mock server that the environment names; nil when it names none.
    package static func emulator(
        in source: ConfigurationSource
    ) throws(ConfigurationError) -> ServerChoice? {
        guard let url = source.variable(urlVariable) else { return nil }
        if let problem = ServerAddress.problem(in: url) {
            throw ConfigurationError("the address \(problem)", in: urlVariable)
        }
        guard ServerAddress.canonical(url) != ServerFacts.apple.url else {
            throw ConfigurationError(
                "the address is Apple's; a mock server is expected", in: urlVariable)
        }
        let authority = source.variable(authorityVariable)
        if let authority, source.files.facts(authority)?.isFile != true {
            throw ConfigurationError("the file \(authority) does not exist", in: authorityVariable)
        }
        return ServerChoice(
            url: url,
            authorityFile: authority.map { source.files.absolute($0) }, isEmulator: true)
    }
}

extension ContainerList {
    /// The server that the list is for, in words; nil: the one at `url`.
    fileprivate func otherServer(than url: String, in source: ConfigurationSource) -> String? {
        guard let server else {
            return environment == .production
                ? "production at Apple's server" : "Apple's server"
        }
        do throws(ConfigurationError) {
            let own = ServerAddress.canonical(try resolve(server.url, "url", in: source))
            guard own == url else { return own }
            return environment == .production ? "production at \(own)" : nil
        } catch {
            // Nobody can tell that it is the same.
            return "the server at \(server.url)"
        }
    }

    /// The text of a setting, from the file or from the variable that it names.
    package func resolve(
        _ setting: Setting, _ key: String, in source: ConfigurationSource
    ) throws(ConfigurationError) -> String {
        switch setting.value {
        case .literal(let text): return text
        case .variable(let name):
            guard let value = source.variable(name) else {
                // As with secrets, no other name is suggested.
                throw error(
                    "\"\(key)\" needs the variable \(name), which is not set",
                    at: setting.place)
            }
            return value
        }
    }
}
