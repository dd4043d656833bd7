import Configuration

/// The variables that lead a program to a mock server.
struct ServerVariables: Sendable {
    /// Names and values: where the server is, then what it is asked with, then each user's web token.
    private(set) var values: [(name: String, value: String)] = []

    /// - Parameters:
    ///   - adminToken: nil: for programs that only use the service.
    ///   - user: Whose web token is the one that is used when no user is named; nil: nobody's.
    init(
        url: String, authorityFile: String?, adminToken: String?, apiToken: String?,
        webTokens: [String: String], user: String?
    ) {
        add(ServerChoice.urlVariable, url)
        add(ServerChoice.authorityVariable, authorityFile)
        add(ServerChoice.adminTokenVariable, adminToken)
        add(ServerChoice.apiTokenVariable, apiToken)
        add(ServerChoice.webTokenVariable, user.flatMap { webTokens[$0] })
        for (user, token) in webTokens.sorted(by: { $0.key < $1.key }) {
            add(ServerChoice.webTokenVariable(of: user), token)
        }
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { values.append((name, value)) }
    }

    /// Those that are set among `variables`, in order.
    static func names(in variables: [String: String]) -> [String] {
        let shared = [
            ServerChoice.urlVariable, ServerChoice.authorityVariable,
            ServerChoice.adminTokenVariable, ServerChoice.apiTokenVariable,
            ServerChoice.webTokenVariable,
        ]
        let ofUsers = variables.keys.filter { $0.hasPrefix("\(ServerChoice.webTokenVariable)_") }
        return shared + ofUsers.sorted()
    }
}
