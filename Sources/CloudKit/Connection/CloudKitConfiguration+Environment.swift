import Foundation

extension CloudKitConfiguration {
    /// The configuration that variables describe.
    ///
    /// - `CLOUDKIT_EMULATOR_URL`, `CLOUDKIT_EMULATOR_CA`, `CLOUDKIT_EMULATOR_API_TOKEN` and
    ///   `CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN`, as `cksweep mock exec` sets them, lead to a mock
    ///   server. A real credential is never sent there.
    /// - `CLOUDKIT_CONTAINERS` names a container list, the same file that `cksweep` reads; without
    ///   it, the only `Containers/*.json` of the working directory counts. It says which
    ///   container is the default one and, without a mock server, where the server is and which
    ///   credentials to use.
    ///
    /// - Throws: ``CloudKitConfigurationProblem`` when they describe none.
    public init(environment variables: [String: String]) throws(CloudKitConfigurationProblem) {
        let list = try Self.list(variables)
        self.init()
        if let list { try apply(list, variables) }
        if let url = variables[ConfigurationVariables.url], !url.isEmpty {
            server = Server(
                url: url, certificateAuthorityFile: variables[ConfigurationVariables.authority])
            credentials = [:]
            credential = variables[ConfigurationVariables.apiToken].map {
                .tokens(api: $0, webAuth: variables[ConfigurationVariables.webToken])
            }
        } else if list == nil {
            throw CloudKitConfigurationProblem(
                "CloudKit is not configured: \(ConfigurationVariables.advice)")
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
        self.init()
        try apply(ContainerListFile(path: path), variables)
    }

    private static func list(
        _ variables: [String: String]
    ) throws(CloudKitConfigurationProblem) -> ContainerListFile? {
        if let path = variables[ConfigurationVariables.list], !path.isEmpty {
            return try ContainerListFile(path: path)
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "Containers")) ?? []
        let lists = names.filter { $0.hasSuffix(".json") }
        guard lists.count == 1, let name = lists.first else { return nil }
        return try ContainerListFile(path: "Containers/\(name)")
    }

    private mutating func apply(
        _ list: ContainerListFile, _ variables: [String: String]
    ) throws(CloudKitConfigurationProblem) {
        environment = try list.environmentChoice()
        let defaults = list.content.containers.filter { $0.default == true }
        guard defaults.count <= 1 else {
            throw list.problem("only one container can be the default")
        }
        defaultContainerIdentifier = defaults.first?.identifier
        if list.content.containers.count == 1 {
            defaultContainerIdentifier = list.content.containers.first?.identifier
        }
        guard (variables[ConfigurationVariables.url] ?? "").isEmpty else { return }
        if let server = list.content.server {
            self.server = Server(
                url: try list.setting(server.url, variables),
                certificateAuthorityFile: try server.ca.map { text throws(Problem) in
                    try list.setting(text, variables)
                })
        }
        credential = try list.credential(list.content.credentials, variables)
        for container in list.content.containers {
            credentials[container.identifier] = try list.credential(
                container.credentials, variables)
        }
    }

    private typealias Problem = CloudKitConfigurationProblem
}
