import CommandLine

/// How a shell is told of variables.
enum EnvironmentShell: String, CaseIterable, Sendable {
    case bash, zsh, fish
    /// Lines of `NAME=VALUE`, as files of variables have them.
    case env

    /// The one that a `SHELL` variable names; bash for those that are like it, or unknown.
    init(shell: String?) {
        let name = shell?.split(separator: "/").last.map(String.init) ?? ""
        self = EnvironmentShell(rawValue: name) ?? .bash
    }

    func setting(_ name: String, to value: String) -> String {
        switch self {
        case .bash, .zsh: "export \(name)=\(ShellWord.quoted(value))"
        case .fish:
            "set -gx \(name) '\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        case .env: "\(name)=\(value)"
        }
    }

    /// nil where that cannot be said.
    func unsetting(_ name: String) -> String? {
        switch self {
        case .bash, .zsh: "unset \(name)"
        case .fish: "set -e \(name)"
        case .env: nil
        }
    }
}
