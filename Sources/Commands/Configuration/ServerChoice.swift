import CloudModel

/// Which server is talked to, and who says so.
package struct ServerChoice: Sendable, Hashable {
    /// Without a slash at the end.
    package let url: String
    /// The PEM file with its certificate authority; nil: the system's.
    package let authorityFile: String?
    /// Whether the environment's mock server stands in for the configured one.
    package let isEmulator: Bool

    package init(url: String, authorityFile: String?, isEmulator: Bool = false) {
        self.url = url
        self.authorityFile = authorityFile
        self.isEmulator = isEmulator
    }

    /// Variables that `cksweep mock exec` sets for the program it runs.
    package static let urlVariable = "CLOUDKIT_EMULATOR_URL"
    package static let authorityVariable = "CLOUDKIT_EMULATOR_CA"
    package static let apiTokenVariable = "CLOUDKIT_EMULATOR_API_TOKEN"
    package static let webTokenVariable = "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"

    /// The environment's mock server first, then the list's server, then Apple's.
    package static func choose(
        for list: ContainerList, in environment: Environment
    ) throws(ConfigurationError) -> ServerChoice {
        if let emulator = try emulator(in: environment) { return emulator }
        guard let server = list.server else {
            return ServerChoice(url: ServerAddress.apple, authorityFile: nil)
        }
        let url = try list.resolve(server.url, "url", in: environment)
        if let problem = ServerAddress.problem(in: url) {
            throw list.error("the server's address \(problem)", at: server.url.place)
        }
        var authority: String?
        if let setting = server.authority {
            authority = try list.resolve(setting, "ca", in: environment)
        }
        if let authority, environment.files.facts(authority)?.isFolder != false {
            throw list.error("the file \(authority) is not there", at: server.authority?.place)
        }
        return ServerChoice(
            url: ServerAddress.trimmed(url),
            authorityFile: authority.map { environment.files.absolute($0) })
    }

    /// The mock server that the environment names; nil when it names none.
    package static func emulator(
        in environment: Environment
    ) throws(ConfigurationError) -> ServerChoice? {
        guard let url = environment.variable(urlVariable) else { return nil }
        if let problem = ServerAddress.problem(in: url) {
            throw ConfigurationError("the address \(problem)", in: urlVariable)
        }
        let authority = environment.variable(authorityVariable)
        if let authority, environment.files.facts(authority)?.isFolder != false {
            throw ConfigurationError("the file \(authority) is not there", in: authorityVariable)
        }
        return ServerChoice(
            url: ServerAddress.trimmed(url),
            authorityFile: authority.map { environment.files.absolute($0) }, isEmulator: true)
    }
}

extension ContainerList {
    /// The text of a setting, from the file or from the variable that it names.
    func resolve(
        _ setting: Setting, _ key: String, in environment: Environment
    ) throws(ConfigurationError) -> String {
        switch setting.value {
        case .literal(let text): return text
        case .variable(let name):
            guard let value = environment.variable(name) else {
                let near = NearestName.hint(for: name, among: environment.variables.keys.sorted())
                throw error(
                    "\"\(key)\" wants the variable \(name), which is not set\(near)",
                    at: setting.place)
            }
            return value
        }
    }
}
