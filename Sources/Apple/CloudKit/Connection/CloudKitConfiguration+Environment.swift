import Configuration
import FileSystem

extension CloudKitConfiguration {
    /// The configuration that variables describe.
    ///
    /// - `CLOUDKIT_EMULATOR_URL`, `CLOUDKIT_EMULATOR_CA`, `CLOUDKIT_EMULATOR_API_TOKEN` and
    ///   `CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN`, as `cloudkit-mock exec` sets them, lead to a mock
    ///   server. A real credential is never sent there.
    /// - `CLOUDKIT_CONTAINERS` names a container list, the same file that `cksweep` reads; without
    ///   it, the only `Containers/*.json` of the working directory counts. It says which
    ///   container is the default one and, without a mock server, where the server is and which
    ///   credentials to use.
    ///
    /// - Throws: ``CloudKitConfigurationProblem`` when they describe none.
    public init(environment variables: [String: String]) throws(CloudKitConfigurationProblem) {
        let source = Self.source(variables)
        self.init()
        do throws(ConfigurationError) {
            let all = try ContainerListLocator.all(source.files)
            let path = source.variable(Self.listVariable) ?? (all.count == 1 ? all[0] : nil)
            if let path {
                try apply(ContainerListReader.read(path, files: source.files), source)
            } else if try !useEmulator(source) {
                throw ConfigurationError(Self.advice, in: "CloudKit is not configured")
            }
        } catch {
            throw CloudKitConfigurationProblem(error.description)
        }
    }

    /// The configuration that a container list file describes.
    ///
    /// The list's `env:NAME` settings are looked up in `variables`.
    ///
    /// - Throws: ``CloudKitConfigurationProblem`` when it cannot be read.
    public init(
        containerListFile path: String, variables: [String: String] = [:]
    ) throws(CloudKitConfigurationProblem) {
        let source = Self.source(variables)
        self.init()
        do throws(ConfigurationError) {
            try apply(ContainerListReader.read(path, files: source.files), source)
        } catch {
            throw CloudKitConfigurationProblem(error.description)
        }
    }

    /// Names a container list.
    private static let listVariable = "CLOUDKIT_CONTAINERS"

    /// What can be done where nothing is configured.
    static let advice =
        "run the program with \"cloudkit-mock exec -- PROGRAM\"; or set \(ServerChoice.urlVariable), "
        + "\(ServerChoice.authorityVariable), \(ServerChoice.apiTokenVariable) and "
        + "\(ServerChoice.webTokenVariable); or name a container list in \(listVariable); or call "
        + "CloudKitConfiguration.bootstrap(_:)"

    /// What can be done where no default container is known.
    static let defaultAdvice =
        "name a container list in \(listVariable), with \"default\": true for one of its "
        + "containers, or set CloudKitConfiguration.defaultContainerIdentifier"

    private static func source(_ variables: [String: String]) -> ConfigurationSource {
        ConfigurationSource(
            files: Files(workingFolder: Files.currentFolder), variables: variables)
    }

    private mutating func apply(
        _ list: ContainerList, _ source: ConfigurationSource
    ) throws(ConfigurationError) {
        environment = list.environment == .production ? .production : .development
        let defaults =
            list.containers.count == 1 ? list.containers : list.containers.filter(\.isDefault)
        defaultContainerIdentifier = defaults.first?.id.rawValue
        if try useEmulator(source) { return }
        let choice = try ServerChoice.choose(for: list, in: source)
        if list.server != nil {
            server = Server(url: choice.url, certificateAuthorityFile: choice.authorityFile)
        }
        let reader = SecretReader(list, in: source)
        for entry in list.containers where list.credentials(for: entry) != nil {
            credentials[entry.id.rawValue] =
                switch try reader.secrets(for: entry, at: choice) {
                case .tokens(let api, nil), .tokens(let api, .signIn):
                    .tokens(api: api, webAuth: nil)
                case .tokens(let api, .given(let web)): .tokens(api: api, webAuth: web)
                case .tokens(let api, .file(_, let path)):
                    .webAuthTokenFile(api: api, path: path)
                case .serverKey(let id, let pem):
                    .serverKey(id: id, pem: String(decoding: pem, as: UTF8.self))
                }
        }
    }

    /// Takes the environment's mock server and its tokens, and nothing of a list.
    ///
    /// - Returns: Whether the environment names one.
    private mutating func useEmulator(_ source: ConfigurationSource) throws(ConfigurationError)
        -> Bool
    {
        guard let choice = try ServerChoice.emulator(in: source) else { return false }
        server = Server(url: choice.url, certificateAuthorityFile: choice.authorityFile)
        credential = source.variable(ServerChoice.apiTokenVariable).map {
            .tokens(api: $0, webAuth: source.variable(ServerChoice.webTokenVariable))
        }
        return true
    }
}
