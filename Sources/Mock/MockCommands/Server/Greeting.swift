import CommandLine
import Configuration
import MockHost

/// What a person reads who starts a mock server on a terminal: lines to paste into another one.
struct Greeting {
    let ready: MockReady
    /// One that the server knows; nil: whichever is asked for, or none yet.
    let container: String?
    /// As `--state` was given.
    let state: String?

    func text(_ shell: EnvironmentShell) -> String {
        let user = ready.webTokens.keys.min()
        let variables = ServerVariables(
            url: ready.url, authorityFile: ready.caFile, adminToken: nil, apiToken: ready.apiToken,
            webTokens: ready.webTokens.filter { $0.key == user }, user: user
        ).values.prefix { $0.name != user.map(ServerChoice.webTokenVariable(of:)) }
        let folder = state.map { " --state \(ShellWord.quoted($0))" } ?? ""
        var lines = ["", "Paste into another terminal:"]
        lines += variables.map { "  " + shell.setting($0.name, to: $0.value) }
        lines.append("  " + request(asUser: user != nil))
        lines += [
            "For scripts, and the variables of all users:",
            "  eval \"$(cloudkit-mock env\(folder))\"",
            "Open the console in a browser: \(ready.consoleURL)",
        ]
        return lines.joined(separator: "\n")
    }

    /// A request that any shell sends as it stands.
    private func request(asUser: Bool) -> String {
        let curl = "curl --cacert \"$\(ServerChoice.authorityVariable)\""
        guard let container, asUser else {
            return "\(curl) \"$\(ServerChoice.urlVariable)/_mock/v1/health\""
        }
        let path = "database/1/\(container)/development/private/zones/list"
        return "\(curl) -G \"$\(ServerChoice.urlVariable)/\(path)\""
            + " --data-urlencode \"ckAPIToken=$\(ServerChoice.apiTokenVariable)\""
            + " --data-urlencode \"ckWebAuthToken=$\(ServerChoice.webTokenVariable)\""
    }
}
