package import CloudModel

/// Where the web sign-ins of a user of this machine are kept: a file for each container and environment
/// of a server, so that no token goes to another server than the one that gave it.
package struct SignInFolder: Sendable, Hashable {
    private let path: String

    /// - Parameter stateFolder: Rehearsals have another than what is meant.
    package init(stateFolder: String) { path = stateFolder + "/sign-in" }

    /// The file of one sign-in, whether it is there or not.
    package func path(
        of container: Container.ID, _ environment: Container.Environment, at server: ServerChoice
    ) -> String {
        "\(path)/\(Self.name(of: server))/\(container.rawValue).\(environment.rawValue)"
    }

    /// A server's address as the name of a folder: `https://localhost:8443` is `localhost_8443`.
    private static func name(of server: ServerChoice) -> String {
        let scheme = "https://"
        let url = server.url.lowercased()
        let host = url.hasPrefix(scheme) ? url.dropFirst(scheme.count) : url[...]
        return String(
            host.map { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    || character == "." || character == "-" ? character : "_"
            })
    }
}
